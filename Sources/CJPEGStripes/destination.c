/* The memory that libjpeg writes to, kept from picture to picture and doubled when it is full. */
#include "internal.h"

#include <stdlib.h>

#include <jerror.h>

#define FIRST_CAPACITY ((size_t)1 << 16)

static void begin(j_compress_ptr compress) {
  cjpegstripes_encoder *encoder = (cjpegstripes_encoder *)compress->client_data;
  encoder->count = 0;
  if (encoder->output == NULL) {
    encoder->output = malloc(FIRST_CAPACITY);
    if (encoder->output == NULL) ERREXIT1(compress, JERR_OUT_OF_MEMORY, 0);
    encoder->capacity = FIRST_CAPACITY;
  }
  compress->dest->next_output_byte = encoder->output;
  compress->dest->free_in_buffer = encoder->capacity;
}

/* Called when all of the memory is used, regardless of free_in_buffer. */
static boolean grow(j_compress_ptr compress) {
  cjpegstripes_encoder *encoder = (cjpegstripes_encoder *)compress->client_data;
  const size_t used = encoder->capacity;
  uint8_t *larger = used > SIZE_MAX / 2 ? NULL : realloc(encoder->output, used * 2);
  if (larger == NULL) ERREXIT1(compress, JERR_OUT_OF_MEMORY, 0);
  encoder->output = larger;
  encoder->capacity = used * 2;
  compress->dest->next_output_byte = larger + used;
  compress->dest->free_in_buffer = used;
  return TRUE;
}

static void end(j_compress_ptr compress) {
  cjpegstripes_encoder *encoder = (cjpegstripes_encoder *)compress->client_data;
  encoder->count = encoder->capacity - compress->dest->free_in_buffer;
}

void cjpegstripes_set_destination(cjpegstripes_encoder *encoder) {
  encoder->destination.init_destination = begin;
  encoder->destination.empty_output_buffer = grow;
  encoder->destination.term_destination = end;
  encoder->compress.dest = &encoder->destination;
}
