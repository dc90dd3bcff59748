// OpenEXRCore, OpenEXR's C library: scan-line files to a callback.
#pragma once
#include <OpenEXR/openexr.h>
#include <stddef.h>
#include <stdint.h>

// A file that is being written: where it goes and what went wrong. Must outlive the context.
typedef struct rawmill_exr_output {
  // Writes all bytes at an offset; 0 on failure.
  int (*write)(void *context, const void *bytes, size_t byte_count, uint64_t offset);
  void *context;
  // The length of the file so far.
  uint64_t end;
  // Why the file was not opened.
  int result;
} rawmill_exr_output;

// What the header says. Names are terminated, in the order of a pixel's samples.
typedef struct rawmill_exr_header {
  int32_t width;
  int32_t height;
  int is_half;
  int32_t channel_count;
  const char *names[4];
  int has_chromaticities;
  exr_attr_chromaticities_t chromaticities;
  int has_adopted_neutral;
  exr_attr_v2f_t adopted_neutral;
  int has_white_luminance;
  float white_luminance;
  // zlib's, 1 to 9.
  int zip_level;
} rawmill_exr_header;

// Scan lines in a chunk of a ZIP file.
#define RAWMILL_EXR_CHUNK_ROWS 16

// Starts a file of one part and writes its header: ZIP, increasing y, no attributes but those of
// `header` and the required ones. NULL on failure, with the result in `output`.
// A C file, because OpenEXR's stream callbacks take variadic functions, which Swift can't import.
exr_context_t rawmill_exr_open(rawmill_exr_output *output, const rawmill_exr_header *header);

// Compresses the chunk that begins at row `y`, from interleaved samples: `pixels` points to row `y`.
// The chunk goes to `chunk` (`*byte_count` bytes, at most `capacity`). Several threads may do so at a
// time, each with buffers of its own. 0 is success, else an exr_result_t, or -1 for too small a capacity.
int rawmill_exr_compress(exr_context_t context, const rawmill_exr_header *header, int32_t y,
                         const void *pixels, uint8_t *chunk, size_t capacity, size_t *byte_count);

// Writes the chunk that begins at row `y`; chunks come in order.
int rawmill_exr_write(exr_context_t context, int32_t y, const uint8_t *chunk, size_t byte_count);

// Ends the file and frees the context in any case.
int rawmill_exr_close(exr_context_t context);

// The library's words for a result, static and terminated.
static inline const char *rawmill_exr_words(int result) {
  return result < 0 ? "the chunk is larger than its pixels" : exr_get_default_error_message(result);
}
