#include "shim.h"

#ifndef RAWMILL_SOURCE_REVISION
#define RAWMILL_SOURCE_REVISION "unknown"
#endif

const char *rawmill_source_revision(void) { return RAWMILL_SOURCE_REVISION; }
