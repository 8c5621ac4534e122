/* A leased frame: memory that the camera does not write to until the lease ends. */
#ifndef PLATEN_CAMERA_FRAME_H
#define PLATEN_CAMERA_FRAME_H

#include "platen_camera.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lease on a finished frame; 0 is none. */
typedef uint64_t platen_camera_frame;

/* The memory of a leased frame. */
typedef struct platen_camera_frame_memory {
  int32_t descriptor;   /* the dma-buf; owned by the lease */
  uint32_t offset;      /* the frame's beginning in it, bytes */
  uint32_t byte_count;  /* bytes in use */
  int32_t raw_descriptor;  /* the same of the raw frame; -1 without one */
  uint32_t raw_offset;
  uint32_t raw_byte_count;
  int32_t preview_descriptor;  /* the same of the preview; -1 without one */
  uint32_t preview_offset;
  uint32_t preview_byte_count;
} platen_camera_frame_memory;

/*
 * Leases a finished frame of the running stream. A frame may be leased several times. The frame
 * stays in the ring, and the camera cannot refill it until the last lease ends.
 *
 * -ENOENT: the ring has moved past the frame, or the frame never existed.
 */
int platen_camera_lease(
    platen_camera camera, uint64_t frame_id, platen_camera_frame *_Nonnull frame,
    platen_camera_frame_info *_Nonnull info, platen_camera_frame_memory *_Nonnull memory);

/*
 * Makes a leased frame readable by the processor (DMA_BUF_IOCTL_SYNC start) and returns its bytes,
 * which are valid until platen_camera_frame_end_read().
 */
int platen_camera_frame_begin_read(
    platen_camera_frame frame, const void *_Nullable *_Nonnull bytes, uint64_t *_Nonnull count);

/* Ends a read of platen_camera_frame_begin_read() (DMA_BUF_IOCTL_SYNC end). */
int platen_camera_frame_end_read(platen_camera_frame frame);

/* The same for the raw frame; -ENOENT without one. */
int platen_camera_frame_begin_raw_read(
    platen_camera_frame frame, const void *_Nullable *_Nonnull bytes, uint64_t *_Nonnull count);
int platen_camera_frame_end_raw_read(platen_camera_frame frame);

/* The same for the preview; -ENOENT without one. */
int platen_camera_frame_begin_preview_read(
    platen_camera_frame frame, const void *_Nullable *_Nonnull bytes, uint64_t *_Nonnull count);
int platen_camera_frame_end_preview_read(platen_camera_frame frame);

/* Ends a lease. Accepts 0 and stale handles. Never waits for the camera. */
void platen_camera_frame_release(platen_camera_frame frame);

#ifdef __cplusplus
}
#endif

#endif
