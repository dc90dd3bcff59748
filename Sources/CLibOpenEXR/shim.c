#include "shim.h"

#include <string.h>

// The library holds the context's lock while it writes: callbacks must not call it back with the context,
// not even `error`, which would ask it for the context's handler.
static int64_t write_bytes(exr_const_context_t context, void *user, const void *bytes,
                           uint64_t byte_count, uint64_t offset,
                           exr_stream_error_func_ptr_t error) {
  rawmill_exr_output *output = user;
  (void)context;
  (void)error;
  if (!output->write(output->context, bytes, (size_t)byte_count, offset)) return -1;
  if (offset + byte_count > output->end) output->end = offset + byte_count;
  return (int64_t)byte_count;
}

// The library's own handler prints. The result of the call says what failed.
static void drop_error(exr_const_context_t context, exr_result_t code, const char *message) {
  (void)context;
  (void)code;
  (void)message;
}

static exr_result_t describe(exr_context_t context, const rawmill_exr_header *header) {
  int part = 0;
  exr_result_t result = exr_add_part(context, NULL, EXR_STORAGE_SCANLINE, &part);
  if (result != EXR_ERR_SUCCESS) return result;
  exr_attr_box2i_t window = {{0, 0}, {header->width - 1, header->height - 1}};
  exr_attr_v2f_t centre = {0, 0};
  result = exr_initialize_required_attr(context, part, &window, &window, 1, &centre, 1,
                                        EXR_LINEORDER_INCREASING_Y, EXR_COMPRESSION_ZIP);
  if (result != EXR_ERR_SUCCESS) return result;
  result = exr_set_zip_compression_level(context, part, header->zip_level);
  if (result != EXR_ERR_SUCCESS) return result;
  for (int32_t i = 0; i < header->channel_count; i++) {
    result = exr_add_channel(context, part, header->names[i],
                             header->is_half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                             EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (result != EXR_ERR_SUCCESS) return result;
  }
  if (header->has_chromaticities) {
    result = exr_attr_set_chromaticities(context, part, "chromaticities", &header->chromaticities);
    if (result != EXR_ERR_SUCCESS) return result;
  }
  if (header->has_adopted_neutral) {
    result = exr_attr_set_v2f(context, part, "adoptedNeutral", &header->adopted_neutral);
    if (result != EXR_ERR_SUCCESS) return result;
  }
  if (header->has_white_luminance) {
    result = exr_attr_set_float(context, part, "whiteLuminance", header->white_luminance);
    if (result != EXR_ERR_SUCCESS) return result;
  }
  return exr_write_header(context);
}

exr_context_t rawmill_exr_open(rawmill_exr_output *output, const rawmill_exr_header *header) {
  exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
  initializer.error_handler_fn = drop_error;
  initializer.user_data = output;
  initializer.write_fn = write_bytes;
  exr_context_t context = NULL;
  exr_result_t result =
      exr_start_write(&context, "output", EXR_WRITE_FILE_DIRECTLY, &initializer);
  if (result == EXR_ERR_SUCCESS) {
    result = describe(context, header);
    if (result != EXR_ERR_SUCCESS) exr_finish(&context);
  }
  if (result == EXR_ERR_SUCCESS) return context;
  output->result = result;
  return NULL;
}

// The channel of the header with this name; the library sorts channels by name.
static int32_t place(const rawmill_exr_header *header, const char *name) {
  for (int32_t i = 0; i < header->channel_count; i++)
    if (strcmp(header->names[i], name) == 0) return i;
  return 0;
}

static exr_result_t run(exr_context_t context, const rawmill_exr_header *header,
                        const uint8_t *pixels, exr_encode_pipeline_t *pipeline) {
  int32_t sample = header->is_half ? 2 : 4;
  int32_t pixel = sample * header->channel_count;
  for (int16_t i = 0; i < pipeline->channel_count; i++) {
    exr_coding_channel_info_t *channel = &pipeline->channels[i];
    channel->user_data_type = header->is_half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
    channel->user_bytes_per_element = (int16_t)sample;
    channel->user_pixel_stride = pixel;
    channel->user_line_stride = pixel * header->width;
    channel->encode_from_ptr = pixels + sample * place(header, channel->channel_name);
  }
  exr_result_t result = exr_encoding_choose_default_routines(context, 0, pipeline);
  if (result != EXR_ERR_SUCCESS) return result;
  // The chunk is written by the caller, in its order.
  pipeline->yield_until_ready_fn = NULL;
  pipeline->write_fn = NULL;
  return exr_encoding_run(context, 0, pipeline);
}

int rawmill_exr_compress(exr_context_t context, const rawmill_exr_header *header, int32_t y,
                         const void *pixels, uint8_t *chunk, size_t capacity, size_t *byte_count) {
  exr_chunk_info_t info;
  exr_result_t result = exr_write_scanline_chunk_info(context, 0, y, &info);
  if (result != EXR_ERR_SUCCESS) return result;
  exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
  result = exr_encoding_initialize(context, 0, &info, &pipeline);
  if (result != EXR_ERR_SUCCESS) return result;
  result = run(context, header, pixels, &pipeline);
  int status = result;
  if (result == EXR_ERR_SUCCESS) {
    if (pipeline.compressed_bytes > capacity) {
      status = -1;
    } else {
      memcpy(chunk, pipeline.compressed_buffer, pipeline.compressed_bytes);
      *byte_count = pipeline.compressed_bytes;
    }
  }
  exr_encoding_destroy(context, &pipeline);
  return status;
}

int rawmill_exr_write(exr_context_t context, int32_t y, const uint8_t *chunk, size_t byte_count) {
  return exr_write_scanline_chunk(context, 0, y, chunk, byte_count);
}

int rawmill_exr_close(exr_context_t context) {
  return exr_finish(&context);
}
