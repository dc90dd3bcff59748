#define _GNU_SOURCE
#include "shim.h"
