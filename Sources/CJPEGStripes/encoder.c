/* The lifetime of an encoder, and the conversion of libjpeg's errors into numbers. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>

/* libjpeg must not return from here. */
static void leave(j_common_ptr common) {
  cjpegstripes_encoder *encoder = (cjpegstripes_encoder *)common->client_data;
  common->err->format_message(common, encoder->message);
  longjmp(encoder->failed, 1);
}

/* libjpeg would write to the standard error. */
static void keep_silent(j_common_ptr common) {
  (void)common;
}

cjpegstripes_encoder *cjpegstripes_new(void) {
  cjpegstripes_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) return NULL;
  encoder->compress.err = jpeg_std_error(&encoder->errors);
  encoder->errors.error_exit = leave;
  encoder->errors.output_message = keep_silent;
  encoder->compress.client_data = encoder;
  if (setjmp(encoder->failed) != 0) {
    cjpegstripes_free(encoder);
    return NULL;
  }
  jpeg_create_compress(&encoder->compress);
  cjpegstripes_set_destination(encoder);
  return encoder;
}

void cjpegstripes_free(cjpegstripes_encoder *encoder) {
  if (encoder == NULL) return;
  jpeg_destroy_compress(&encoder->compress);
  free(encoder->output);
  free(encoder);
}

const char *cjpegstripes_message(const cjpegstripes_encoder *encoder) {
  return encoder->message;
}

static int refuse(cjpegstripes_encoder *encoder, const char *message) {
  strncpy(encoder->message, message, sizeof encoder->message - 1);
  return -EINVAL;
}

int cjpegstripes_encode(
    cjpegstripes_encoder *encoder, const cjpegstripes_stripe *stripe, const uint8_t **ret_bytes, size_t *ret_count) {
  *ret_bytes = NULL;
  *ret_count = 0;
  memset(encoder->message, 0, sizeof encoder->message);
  if (stripe->width < 1 || stripe->width > JPEG_MAX_DIMENSION || stripe->height < 1 ||
      stripe->height > JPEG_MAX_DIMENSION)
    return refuse(encoder, "width and height are 1 to 65500");
  if (stripe->quality < 1 || stripe->quality > 100) return refuse(encoder, "the quality is 1 to 100");
  const int has_planes = stripe->layout == CJPEGSTRIPES_YCC_420 || stripe->layout == CJPEGSTRIPES_YCC_422;
  for (int i = 0; i < (has_planes ? 3 : 1); i++)
    if (stripe->planes[i].start == NULL) return refuse(encoder, "a plane has no samples");

  if (setjmp(encoder->failed) != 0) {
    jpeg_abort_compress(&encoder->compress);
    return encoder->errors.msg_code == JERR_OUT_OF_MEMORY ? -ENOMEM : -EIO;
  }
  cjpegstripes_write(encoder, stripe);
  *ret_bytes = encoder->output;
  *ret_count = encoder->count;
  return 0;
}
