// libtiff: baseline and tiled TIFF output.
#pragma once
#include <tiffio.h>
