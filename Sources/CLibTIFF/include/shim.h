// libtiff: baseline TIFF output to a callback.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <tiffio.h>

// A file that is being written: where it goes and what went wrong. Must outlive the TIFF handle.
typedef struct rawmill_tiff_output {
  // Writes all bytes at an offset; 0 on failure.
  int (*write)(void *context, const void *bytes, size_t byte_count, uint64_t offset);
  void *context;
  // The length of the file so far: what `write` put there before libtiff started counts.
  uint64_t end;
  // libtiff's position.
  uint64_t position;
  // The first error's text, terminated; empty while there is none.
  char message[256];
} rawmill_tiff_output;

// Opens a little-endian file for writing; NULL on failure, with a message in `output`.
// A C file, because libtiff hands its errors over as va_list, which Swift can't read.
TIFF *rawmill_tiff_open(rawmill_tiff_output *output);

// TIFFSetField is variadic, which Swift can't call: one function for each way a field is passed.
static inline int rawmill_tiff_set_integer(TIFF *tiff, uint32_t tag, uint32_t value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int rawmill_tiff_set_offset(TIFF *tiff, uint32_t tag, uint64_t value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int rawmill_tiff_set_real(TIFF *tiff, uint32_t tag, double value) {
  return TIFFSetField(tiff, tag, value);
}
static inline int rawmill_tiff_set_text(TIFF *tiff, uint32_t tag, const char *text) {
  return TIFFSetField(tiff, tag, text);
}
static inline int rawmill_tiff_set_shorts(TIFF *tiff, uint32_t tag, const uint16_t *values,
                                          uint16_t count) {
  return TIFFSetField(tiff, tag, count, values);
}
static inline int rawmill_tiff_set_bytes(TIFF *tiff, uint32_t tag, const void *bytes,
                                         uint32_t count) {
  return TIFFSetField(tiff, tag, count, bytes);
}
