#include "shim.h"

#include <limits.h>

// zlib takes and gives at most UINT_MAX bytes at a time.
static uInt piece(size_t byte_count) { return byte_count > UINT_MAX ? UINT_MAX : (uInt)byte_count; }

rawmill_zlib_status rawmill_inflate(const uint8_t *bytes, size_t byte_count, uint8_t *output,
                                    size_t capacity, size_t *written, const char **message) {
  z_stream stream = {0};
  const uint8_t *input = bytes;
  size_t left = byte_count;
  size_t room = capacity;
  // Where the output is full, one byte more tells a stream that ends from one that goes on.
  uint8_t spare;
  *written = 0;
  *message = NULL;
  if (inflateInit(&stream) != Z_OK) return RAWMILL_ZLIB_NO_MEMORY;
  rawmill_zlib_status status = RAWMILL_ZLIB_OK;
  for (;;) {
    uInt given = piece(left);
    uInt offered = room > 0 ? piece(room) : 1;
    // zlib doesn't write to its input.
    stream.next_in = (Bytef *)input;
    stream.avail_in = given;
    stream.next_out = room > 0 ? output : &spare;
    stream.avail_out = offered;
    int result = inflate(&stream, Z_NO_FLUSH);
    size_t taken = given - stream.avail_in;
    size_t made = offered - stream.avail_out;
    if (room == 0 && made > 0) {
      status = RAWMILL_ZLIB_SURPLUS;
      break;
    }
    input += taken;
    left -= taken;
    output += made;
    room -= made;
    if (result == Z_STREAM_END) break;
    if (result == Z_MEM_ERROR) {
      status = RAWMILL_ZLIB_NO_MEMORY;
      break;
    }
    if (result == Z_NEED_DICT || result == Z_DATA_ERROR || result == Z_STREAM_ERROR) {
      status = RAWMILL_ZLIB_DAMAGED;
      *message = stream.msg;
      break;
    }
    if (taken == 0 && made == 0) {
      status = RAWMILL_ZLIB_TRUNCATED;
      break;
    }
  }
  *written = capacity - room;
  inflateEnd(&stream);
  return status;
}

rawmill_zlib_status rawmill_deflate(const uint8_t *bytes, size_t byte_count, int level,
                                    uint8_t *output, size_t capacity, size_t *written) {
  z_stream stream = {0};
  const uint8_t *input = bytes;
  size_t left = byte_count;
  size_t room = capacity;
  *written = 0;
  if (deflateInit(&stream, level) != Z_OK) return RAWMILL_ZLIB_NO_MEMORY;
  rawmill_zlib_status status = RAWMILL_ZLIB_OK;
  for (;;) {
    uInt given = piece(left);
    uInt offered = piece(room);
    // zlib doesn't write to its input.
    stream.next_in = (Bytef *)input;
    stream.avail_in = given;
    stream.next_out = output;
    stream.avail_out = offered;
    int result = deflate(&stream, given == left ? Z_FINISH : Z_NO_FLUSH);
    size_t taken = given - stream.avail_in;
    size_t made = offered - stream.avail_out;
    input += taken;
    left -= taken;
    output += made;
    room -= made;
    if (result == Z_STREAM_END) break;
    if (room == 0) {
      status = RAWMILL_ZLIB_SURPLUS;
      break;
    }
  }
  *written = capacity - room;
  deflateEnd(&stream);
  return status;
}
