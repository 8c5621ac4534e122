/* The transfer of samples to libjpeg: planes as raw data, pixels as scan lines. */
#include "internal.h"

#include <string.h>

/* The maximum number of rows that one call takes: two blocks of luma. */
#define MOST_ROWS (2 * DCTSIZE)

/* A plane as libjpeg needs it: whole blocks across and down. */
struct source {
  const uint8_t *start;
  size_t bytes_per_row;
  JDIMENSION columns;
  JDIMENSION rows;
  /* The number of rows in an MCU. */
  JDIMENSION step;
  /* The number of columns in whole blocks. */
  JDIMENSION coded_columns;
  /* Room for step rows of coded_columns; NULL when the plane's columns fill their blocks. */
  JSAMPLE *padded;
};

static void write_planes(struct jpeg_compress_struct *compress, const cjpegstripes_stripe *stripe) {
  struct source sources[3];
  JSAMPROW rows[3][MOST_ROWS];
  JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
  const JDIMENSION mcu_rows = (JDIMENSION)compress->max_v_samp_factor * DCTSIZE;
  for (int i = 0; i < 3; i++) {
    const jpeg_component_info *component = &compress->comp_info[i];
    const unsigned int across = i == 0 ? 1 : 2;
    const unsigned int down = i == 0 || stripe->layout == CJPEGSTRIPES_YCC_422 ? 1 : 2;
    struct source *source = &sources[i];
    source->start = stripe->planes[i].start;
    source->bytes_per_row = stripe->planes[i].bytes_per_row;
    source->columns = (stripe->width + across - 1) / across;
    source->rows = (stripe->height + down - 1) / down;
    source->step = (JDIMENSION)component->v_samp_factor * DCTSIZE;
    source->coded_columns = component->width_in_blocks * DCTSIZE;
    source->padded = NULL;
    if (source->coded_columns > source->columns)
      source->padded = compress->mem->alloc_large(
          (j_common_ptr)compress, JPOOL_IMAGE, (size_t)source->step * source->coded_columns);
  }
  while (compress->next_scanline < compress->image_height) {
    const JDIMENSION mcu_row = compress->next_scanline / mcu_rows;
    for (int i = 0; i < 3; i++) {
      const struct source *source = &sources[i];
      for (JDIMENSION row = 0; row < source->step; row++) {
        JDIMENSION wanted = mcu_row * source->step + row;
        if (wanted >= source->rows) wanted = source->rows - 1;
        const uint8_t *samples = source->start + (size_t)wanted * source->bytes_per_row;
        if (source->padded != NULL) {
          JSAMPLE *copy = source->padded + (size_t)row * source->coded_columns;
          memcpy(copy, samples, source->columns);
          memset(copy + source->columns, samples[source->columns - 1], source->coded_columns - source->columns);
          samples = copy;
        }
        /* libjpeg only reads, but its type does not say so. */
        rows[i][row] = (JSAMPROW)samples;
      }
    }
    jpeg_write_raw_data(compress, planes, mcu_rows);
  }
}

static void write_pixels(struct jpeg_compress_struct *compress, const cjpegstripes_stripe *stripe) {
  JSAMPROW rows[MOST_ROWS];
  const cjpegstripes_plane plane = stripe->planes[0];
  while (compress->next_scanline < compress->image_height) {
    JDIMENSION count = compress->image_height - compress->next_scanline;
    if (count > MOST_ROWS) count = MOST_ROWS;
    for (JDIMENSION row = 0; row < count; row++)
      rows[row] = (JSAMPROW)(plane.start + (size_t)(compress->next_scanline + row) * plane.bytes_per_row);
    jpeg_write_scanlines(compress, rows, count);
  }
}

void cjpegstripes_write(cjpegstripes_encoder *encoder, const cjpegstripes_stripe *stripe) {
  struct jpeg_compress_struct *compress = &encoder->compress;
  const int has_planes = stripe->layout == CJPEGSTRIPES_YCC_420 || stripe->layout == CJPEGSTRIPES_YCC_422;
  compress->image_width = stripe->width;
  compress->image_height = stripe->height;
  compress->input_components = 3;
  compress->in_color_space = has_planes                               ? JCS_YCbCr
                             : stripe->layout == CJPEGSTRIPES_RGB ? JCS_EXT_RGB
                                                                  : JCS_EXT_BGR;
  jpeg_set_defaults(compress);
  jpeg_set_colorspace(compress, JCS_YCbCr);
  jpeg_set_quality(compress, stripe->quality, TRUE);
  compress->dct_method = JDCT_ISLOW;
  compress->restart_in_rows = 1;
  compress->comp_info[0].h_samp_factor = 2;
  compress->comp_info[0].v_samp_factor = stripe->layout == CJPEGSTRIPES_YCC_422 ? 1 : 2;
  compress->raw_data_in = has_planes ? TRUE : FALSE;
  jpeg_start_compress(compress, TRUE);
  if (has_planes)
    write_planes(compress, stripe);
  else
    write_pixels(compress, stripe);
  jpeg_finish_compress(compress);
}
