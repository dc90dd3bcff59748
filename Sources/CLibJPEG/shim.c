#include "shim.h"

#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// The library's error state with the place to return to; `base` is first, so that the library's
// pointer to it is one to the whole.
typedef struct error_state {
  struct jpeg_error_mgr base;
  jmp_buf place;
  char *message;
  rawmill_jpeg_status status;
} error_state;

// Progressive pictures have a scan for each bit of each component at the most; libjpeg's own script
// has 10. A file of thousands of empty scans would keep the decoder busy for its whole size each.
static const int scan_limit = 100;

static void leave(j_common_ptr info) {
  error_state *state = (error_state *)info->err;
  state->base.format_message(info, state->message);
  if (state->base.msg_code == JERR_OUT_OF_MEMORY) state->status = RAWMILL_JPEG_LIMIT;
  longjmp(state->place, 1);
}

// Level -1 is a warning: data that the library makes up for. Two of them leave the samples whole.
static void take_message(j_common_ptr info, int level) {
  int code = info->err->msg_code;
  if (level < 0 && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR) leave(info);
}

static void print_nothing(j_common_ptr info) { (void)info; }

static void count_scans(j_common_ptr info) {
  j_decompress_ptr decompress = (j_decompress_ptr)info;
  if (decompress->input_scan_number <= scan_limit) return;
  error_state *state = (error_state *)info->err;
  state->status = RAWMILL_JPEG_LIMIT;
  snprintf(state->message, JMSG_LENGTH_MAX, "more than %d scans", scan_limit);
  longjmp(state->place, 1);
}

static struct jpeg_error_mgr *catch_errors(error_state *state, char *message) {
  state->message = message;
  state->message[0] = 0;
  state->status = RAWMILL_JPEG_DAMAGED;
  jpeg_std_error(&state->base);
  state->base.error_exit = leave;
  state->base.emit_message = take_message;
  state->base.output_message = print_nothing;
  return &state->base;
}

rawmill_jpeg_status rawmill_jpeg_decode(rawmill_jpeg_decoding *decoding) {
  struct jpeg_decompress_struct info;
  struct jpeg_progress_mgr progress;
  error_state state;
  memset(&info, 0, sizeof info);
  info.err = catch_errors(&state, decoding->message);
  if (setjmp(state.place)) {
    jpeg_destroy_decompress(&info);
    return state.status;
  }
  jpeg_create_decompress(&info);
  memset(&progress, 0, sizeof progress);
  progress.progress_monitor = count_scans;
  info.progress = &progress;
  if (decoding->tables != NULL) {
    jpeg_mem_src(&info, decoding->tables, decoding->tables_size);
    if (jpeg_read_header(&info, FALSE) != JPEG_HEADER_TABLES_ONLY) {
      snprintf(decoding->message, JMSG_LENGTH_MAX, "the shared tables have a picture");
      jpeg_destroy_decompress(&info);
      return RAWMILL_JPEG_DAMAGED;
    }
  }
  jpeg_mem_src(&info, decoding->bytes, decoding->byte_count);
  jpeg_read_header(&info, TRUE);
  decoding->frame_width = info.image_width;
  decoding->frame_height = info.image_height;
  decoding->frame_components = info.num_components;
  if (info.image_width != decoding->width || info.image_height != decoding->height ||
      info.num_components != decoding->components) {
    jpeg_destroy_decompress(&info);
    return RAWMILL_JPEG_OTHER_SHAPE;
  }
  if (decoding->converts_ycc && info.num_components == 3) {
    info.out_color_space = JCS_RGB;
  } else {
    info.jpeg_color_space = JCS_UNKNOWN;
    info.out_color_space = JCS_UNKNOWN;
  }
  // The integer transform: the same samples on every processor.
  info.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&info);
  size_t row_size = (size_t)info.output_width * (size_t)info.output_components;
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = decoding->samples + row_size * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return RAWMILL_JPEG_OK;
}

// A destination that grows in memory; `base` is first, as with the errors.
typedef struct growing_bytes {
  struct jpeg_destination_mgr base;
  rawmill_jpeg_encoding *encoding;
  size_t capacity;
} growing_bytes;

static void grow(j_compress_ptr info, size_t capacity) {
  growing_bytes *target = (growing_bytes *)info->dest;
  uint8_t *bytes = realloc(target->encoding->bytes, capacity);
  if (bytes == NULL) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
  target->base.next_output_byte = bytes + target->capacity;
  target->base.free_in_buffer = capacity - target->capacity;
  target->encoding->bytes = bytes;
  target->capacity = capacity;
}

static void start_bytes(j_compress_ptr info) { grow(info, 65536); }

static boolean double_bytes(j_compress_ptr info) {
  grow(info, 2 * ((growing_bytes *)info->dest)->capacity);
  return TRUE;
}

static void end_bytes(j_compress_ptr info) {
  growing_bytes *target = (growing_bytes *)info->dest;
  target->encoding->byte_count = target->capacity - target->base.free_in_buffer;
}

rawmill_jpeg_status rawmill_jpeg_encode(rawmill_jpeg_encoding *encoding) {
  struct jpeg_compress_struct info;
  error_state state;
  growing_bytes target;
  encoding->bytes = NULL;
  encoding->byte_count = 0;
  memset(&target, 0, sizeof target);
  target.encoding = encoding;
  target.base.init_destination = start_bytes;
  target.base.empty_output_buffer = double_bytes;
  target.base.term_destination = end_bytes;
  memset(&info, 0, sizeof info);
  info.err = catch_errors(&state, encoding->message);
  if (setjmp(state.place)) {
    jpeg_destroy_compress(&info);
    free(encoding->bytes);
    encoding->bytes = NULL;
    return state.status;
  }
  jpeg_create_compress(&info);
  info.dest = &target.base;
  info.image_width = encoding->width;
  info.image_height = encoding->height;
  info.input_components = encoding->components;
  info.in_color_space = encoding->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  if (encoding->components == 3) {
    jpeg_set_colorspace(&info, encoding->codes_ycc ? JCS_YCbCr : JCS_RGB);
    int factor = encoding->codes_ycc && encoding->halves_chroma ? 2 : 1;
    info.comp_info[0].h_samp_factor = factor;
    info.comp_info[0].v_samp_factor = factor;
  }
  jpeg_set_quality(&info, encoding->quality, TRUE);
  info.optimize_coding = TRUE;
  // The integer transform: the same bytes on every processor.
  info.dct_method = JDCT_ISLOW;
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    // The library doesn't write to its input.
    JSAMPROW row = (JSAMPROW)encoding->samples + encoding->stride * info.next_scanline;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return RAWMILL_JPEG_OK;
}
