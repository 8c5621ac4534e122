#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// What Swift cannot import, and what differs between FFmpeg 5.1 and 7.1.

/// Returns the libraries' error for an errno. AVERROR
static inline int CFFmpeg_error(int number) { return AVERROR(number); }

/// Returns the error that means the end of a stream. AVERROR_EOF
static inline int CFFmpeg_end(void) { return AVERROR_EOF; }

/// A function that takes bytes at the position: their number, or a negative error.
typedef int (*CFFmpeg_Write)(
    void *_Nullable owner, const uint8_t *_Nullable bytes, int count);
/// A function that gives bytes from the position: their number, or a negative error.
typedef int (*CFFmpeg_Read)(void *_Nullable owner, uint8_t *_Nullable bytes, int count);
/// A function that moves the position: the new position, or a negative error.
typedef int64_t (*CFFmpeg_Seek)(void *_Nullable owner, int64_t offset, int whence);

/// Makes a file of functions, for writing or for reading. avio_alloc_context
static inline AVIOContext *_Nullable CFFmpeg_makeIO(
    void *_Nonnull owner, int is_writing, CFFmpeg_Read _Nonnull read, CFFmpeg_Write _Nonnull write,
    CFFmpeg_Seek _Nonnull seek) {
  const int size = 1 << 16;
  unsigned char *buffer = av_malloc(size);
  if (!buffer)
    return NULL;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  CFFmpeg_Write writer = write;
#else
  int (*writer)(void *, uint8_t *, int) = (int (*)(void *, uint8_t *, int))write;
#endif
  AVIOContext *io = avio_alloc_context(buffer, size, is_writing, owner, read, writer, seek);
  if (!io)
    av_free(buffer);
  return io;
}

/// Frees a file of functions and its buffer. avio_context_free
static inline void CFFmpeg_freeIO(AVIOContext *_Nonnull io) {
  av_freep(&io->buffer);
  avio_context_free(&io);
}

/// Sets the clockwise rotation of a track's picture in degrees: 0, or a negative error.
static inline int CFFmpeg_setRotation(AVStream *_Nonnull stream, int degrees) {
  const size_t size = sizeof(int32_t) * 9;
  int32_t *matrix = av_malloc(size);
  if (!matrix)
    return AVERROR(ENOMEM);
  av_display_rotation_set(matrix, degrees);
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  AVCodecParameters *parameters = stream->codecpar;
  const int result =
      av_packet_side_data_add(
          &parameters->coded_side_data, &parameters->nb_coded_side_data,
          AV_PKT_DATA_DISPLAYMATRIX, matrix, size, 0)
          ? 0
          : AVERROR(ENOMEM);
#else
  const int result =
      av_stream_add_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, (uint8_t *)matrix, size);
#endif
  if (result < 0)
    av_free(matrix);
  return result;
}
