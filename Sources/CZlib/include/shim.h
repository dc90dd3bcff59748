// zlib: Deflate. Its *Init functions are macros over versioned ones; shims stand here.
#pragma once
#include <zlib.h>
