// Linux calls that Swift cannot import: macros, variadic functions and control messages.
#pragma once
#include <sys/types.h>
