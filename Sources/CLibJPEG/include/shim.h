// libjpeg-turbo: baseline JPEG, 8 bit. It reports errors by longjmp, which must not cross a Swift
// frame: every call goes through a function of shim.c that catches it.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>

// How a call ended.
typedef enum rawmill_jpeg_status {
  RAWMILL_JPEG_OK = 0,
  // The library's message says why, or its warning: data that it would patch up is an error.
  RAWMILL_JPEG_DAMAGED = 1,
  // The frame has another size or number of components than asked for.
  RAWMILL_JPEG_OTHER_SHAPE = 2,
  // More scans or memory than a picture of this size needs.
  RAWMILL_JPEG_LIMIT = 3,
} rawmill_jpeg_status;

// A picture to decode and where it goes.
typedef struct rawmill_jpeg_decoding {
  // A stream of quantisation and Huffman tables alone, or NULL.
  const uint8_t *tables;
  size_t tables_size;
  const uint8_t *bytes;
  size_t byte_count;
  // What the frame must have.
  uint32_t width;
  uint32_t height;
  int components;
  // Nonzero: YCbCr becomes RGB; zero: components come as they are coded, whatever markers say.
  int converts_ycc;
  // `height` rows of `width * components` samples.
  uint8_t *samples;
  // What the frame has; set for OTHER_SHAPE too.
  uint32_t frame_width;
  uint32_t frame_height;
  int frame_components;
  // The library's words, terminated.
  char message[JMSG_LENGTH_MAX];
} rawmill_jpeg_decoding;

// Decodes a whole picture.
rawmill_jpeg_status rawmill_jpeg_decode(rawmill_jpeg_decoding *decoding);

// A picture to encode.
typedef struct rawmill_jpeg_encoding {
  const uint8_t *samples;
  uint32_t width;
  uint32_t height;
  // Samples from a row to the next.
  size_t stride;
  // 1 or 3.
  int components;
  // 0 to 100, the library's scale.
  int quality;
  // Nonzero: RGB is coded as YCbCr; zero: as it is, with an Adobe marker that says so.
  int codes_ycc;
  // Nonzero: chroma at half the resolution both ways (only with `codes_ycc`).
  int halves_chroma;
  // The stream, from malloc; the caller frees it. NULL unless the status is OK.
  uint8_t *bytes;
  size_t byte_count;
  char message[JMSG_LENGTH_MAX];
} rawmill_jpeg_encoding;

// Encodes a whole picture with optimal Huffman tables.
rawmill_jpeg_status rawmill_jpeg_encode(rawmill_jpeg_encoding *encoding);
