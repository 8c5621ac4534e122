/* A leased frame: memory that the camera does not write to until the lease is given back. */
#ifndef PLATEN_CAMERA_FRAME_H
#define PLATEN_CAMERA_FRAME_H

#include "platen_camera.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lease on a finished frame; 0 is none. */
typedef uint64_t platen_camera_frame;

/* Where a leased frame lies. */
typedef struct platen_camera_frame_memory {
  int32_t descriptor;   /* the dma-buf; owned by the lease */
  uint32_t offset;      /* where the frame begins in it, bytes */
  uint32_t byte_count;  /* bytes in use */
} platen_camera_frame_memory;

/*
 * Leases a finished frame of the running stream. A frame may be leased several times; it stays in
 * the ring, and out of the camera's reach until the last lease is given back.
 *
 * -ENOENT: the ring has moved past the frame, or it never was.
 */
int platen_camera_lease(
    platen_camera camera, uint64_t frame_id, platen_camera_frame *_Nonnull frame,
    platen_camera_frame_info *_Nonnull info, platen_camera_frame_memory *_Nonnull memory);

/*
 * Makes a leased frame readable by the processor (DMA_BUF_IOCTL_SYNC start) and gives its bytes,
 * which are valid until platen_camera_frame_end_read().
 */
int platen_camera_frame_begin_read(
    platen_camera_frame frame, const void *_Nullable *_Nonnull bytes, uint64_t *_Nonnull count);

/* Ends what platen_camera_frame_begin_read() began (DMA_BUF_IOCTL_SYNC end). */
int platen_camera_frame_end_read(platen_camera_frame frame);

/* Gives a lease back. Accepts 0 and stale handles. Never waits for the camera. */
void platen_camera_frame_release(platen_camera_frame frame);

#ifdef __cplusplus
}
#endif

#endif
