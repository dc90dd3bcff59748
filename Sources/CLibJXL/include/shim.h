// libjxl: JPEG XL codestreams. Of damaged streams Debian's build writes to standard error what it found.
#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
