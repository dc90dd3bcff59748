#include "shim.h"

#include <stdarg.h>
#include <stdio.h>

static tmsize_t read_nothing(thandle_t handle, void *bytes, tmsize_t byte_count) {
  rawmill_tiff_output *output = handle;
  (void)bytes;
  (void)byte_count;
  if (output->message[0] == 0)
    snprintf(output->message, sizeof output->message, "the output can't be read back");
  return -1;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t byte_count) {
  rawmill_tiff_output *output = handle;
  if (byte_count < 0) return -1;
  if (!output->write(output->context, bytes, (size_t)byte_count, output->position)) return -1;
  output->position += (uint64_t)byte_count;
  if (output->position > output->end) output->end = output->position;
  return byte_count;
}

static toff_t seek_position(thandle_t handle, toff_t offset, int whence) {
  rawmill_tiff_output *output = handle;
  switch (whence) {
  case SEEK_SET: output->position = offset; break;
  case SEEK_CUR: output->position += offset; break;
  case SEEK_END: output->position = output->end + offset; break;
  default: return (toff_t)-1;
  }
  return output->position;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t file_size(thandle_t handle) {
  const rawmill_tiff_output *output = handle;
  return output->end;
}

static int keep_error(TIFF *tiff, void *user, const char *module, const char *format,
                      va_list arguments) {
  rawmill_tiff_output *output = user;
  (void)tiff;
  (void)module;
  if (output->message[0] == 0)
    vsnprintf(output->message, sizeof output->message, format, arguments);
  return 1; // handled: not passed on to the process-wide handler, which prints
}

static int drop_warning(TIFF *tiff, void *user, const char *module, const char *format,
                        va_list arguments) {
  (void)tiff;
  (void)user;
  (void)module;
  (void)format;
  (void)arguments;
  return 1;
}

TIFF *rawmill_tiff_open(rawmill_tiff_output *output) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (options == NULL) return NULL;
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, output);
  TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, output);
  // "l": little-endian on every host.
  TIFF *tiff = TIFFClientOpenExt("output", "wl", output, read_nothing, write_bytes, seek_position,
                                 close_nothing, file_size, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  return tiff;
}
