// Little CMS: writes the ICC profiles of the outputs.
#pragma once
#include <lcms2.h>
