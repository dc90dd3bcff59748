// zlib: Deflate. Its *Init functions are macros over versioned ones, and its counts are 32 bit; the
// functions of shim.c stand for both.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

typedef enum rawmill_zlib_status {
  RAWMILL_ZLIB_OK = 0,
  // The data breaks the format or its checksum.
  RAWMILL_ZLIB_DAMAGED = 1,
  // The data ends before the stream does.
  RAWMILL_ZLIB_TRUNCATED = 2,
  // More output than there is room for.
  RAWMILL_ZLIB_SURPLUS = 3,
  RAWMILL_ZLIB_NO_MEMORY = 4,
} rawmill_zlib_status;

// Inflates a zlib stream (RFC 1950) into at most `capacity` bytes; `written` gets how many it has.
// `message` points to the library's constant words for DAMAGED, or is NULL.
rawmill_zlib_status rawmill_inflate(const uint8_t *bytes, size_t byte_count, uint8_t *output,
                                    size_t capacity, size_t *written, const char **message);

// Deflates into a zlib stream; SURPLUS where `capacity` is too small. `level` is 1 to 9.
rawmill_zlib_status rawmill_deflate(const uint8_t *bytes, size_t byte_count, int level,
                                    uint8_t *output, size_t capacity, size_t *written);
