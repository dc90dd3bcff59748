// libyaml: YAML 1.1 event parser, used with the 1.2 core schema.
#pragma once
#include <yaml.h>
