/*
 * CJPEGStripes: baseline JPEG of a part of a picture, through libjpeg's own API, which TurboJPEG hides. libjpeg reports
 * errors by leaving its functions; this library returns them as numbers with a text.
 *
 * Conventions
 * - Functions that can fail return 0 on success and a negative errno on failure.
 * - An encoder is used from one thread at a time; several encoders work independently at the same time.
 * - The functions do not write to the terminal, end the process or keep global state.
 */
#ifndef CJPEGSTRIPES_H
#define CJPEGSTRIPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/* A compressor with its memory, kept from picture to picture. */
typedef struct cjpegstripes_encoder cjpegstripes_encoder;

/* The layout of a stripe's samples in memory. */
typedef enum cjpegstripes_layout {
  /* Planes Y, Cb, Cr of JFIF's color space; one chroma sample for two by two of luma. */
  CJPEGSTRIPES_YCC_420 = 0,
  /* Planes Y, Cb, Cr of JFIF's color space; one chroma sample for two columns of luma. */
  CJPEGSTRIPES_YCC_422 = 1,
  /* Pixels of three bytes in planes[0], red first; stored with one chroma sample for two by two. */
  CJPEGSTRIPES_RGB = 2,
  /* Pixels of three bytes in planes[0], blue first; stored with one chroma sample for two by two. */
  CJPEGSTRIPES_BGR = 3,
} cjpegstripes_layout;

/* Samples in memory; only read. */
typedef struct cjpegstripes_plane {
  const uint8_t *_Nullable start;
  /* The bytes from one row to the next, at least as many as the samples need. */
  size_t bytes_per_row;
} cjpegstripes_plane;

/* A part of a picture over its whole width. */
typedef struct cjpegstripes_stripe {
  cjpegstripes_layout layout;
  /* Width and height in pixels, 1...65500. Chroma planes have half of the width, rounded up. */
  unsigned int width;
  unsigned int height;
  /* The quality, 1...100, the scale of jpeg_set_quality. */
  int quality;
  cjpegstripes_plane planes[3];
} cjpegstripes_stripe;

/* Makes an encoder; NULL when there is no memory. */
cjpegstripes_encoder *_Nullable cjpegstripes_new(void);

/* Frees an encoder; NULL is allowed. */
void cjpegstripes_free(cjpegstripes_encoder *_Nullable encoder);

/*
 * Encodes a stripe as a whole baseline JPEG image. The image has a restart marker after each row of MCUs, the typical
 * Huffman tables and the exact integer transform. The last column and row are repeated where an MCU goes beyond the
 * picture.
 *
 * Returns 0 and sets *ret_bytes and *ret_count, which are valid until the encoder's next call. On failure it returns
 * -EINVAL for an invalid stripe, -ENOMEM, or -EIO for other errors of libjpeg. The encoder can be reused.
 */
int cjpegstripes_encode(
    cjpegstripes_encoder *encoder, const cjpegstripes_stripe *stripe, const uint8_t *_Nullable *_Nonnull ret_bytes,
    size_t *ret_count);

/* Returns libjpeg's message of the last failed call; valid until the encoder's next call. */
const char *cjpegstripes_message(const cjpegstripes_encoder *encoder);

/*
 * Calls work for each index below count, each on its own thread, with the caller's for index 0. Returns when all calls
 * have returned. The caller does the work of indexes for which there is no thread. The threads take no signals.
 */
void cjpegstripes_perform(
    size_t count, void *_Nullable context, void (*work)(void *_Nullable context, size_t index));

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
