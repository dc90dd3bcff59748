// libjpeg-turbo: baseline JPEG, 8 bit. It reports errors by longjmp, which must not cross a Swift
// frame: every call goes through a function of shim.c that catches it.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>
