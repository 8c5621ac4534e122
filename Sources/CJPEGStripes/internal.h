/* The declarations that the parts of CJPEGStripes share. Not for users. */
#ifndef CJPEGSTRIPES_INTERNAL_H
#define CJPEGSTRIPES_INTERNAL_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CJPEGStripes.h"

_Static_assert(sizeof(JSAMPLE) == 1, "libjpeg's samples are bytes");

struct cjpegstripes_encoder {
  struct jpeg_compress_struct compress;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  /* The place to continue at when libjpeg reports an error. */
  jmp_buf failed;
  char message[JMSG_LENGTH_MAX];
  /* The image that is being written; its first count bytes are done. */
  uint8_t *output;
  size_t capacity;
  size_t count;
};

/* Lets libjpeg write into the encoder's output, which grows. */
void cjpegstripes_set_destination(cjpegstripes_encoder *encoder);

/* Writes a stripe; leaves by encoder->failed when libjpeg reports an error. */
void cjpegstripes_write(cjpegstripes_encoder *encoder, const cjpegstripes_stripe *stripe);

#endif
