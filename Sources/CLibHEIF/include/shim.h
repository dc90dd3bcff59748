// libheif: HEIF container and HEVC encoding through x265.
#pragma once
#include <libheif/heif.h>
