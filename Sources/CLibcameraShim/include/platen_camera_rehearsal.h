/*
 * The controls that a camera with certain capabilities would get, without the camera: for tests.
 *
 * Cameras differ in the controls that they list, and so do libcamera's versions; few of them are
 * available on one machine.
 */
#ifndef PLATEN_CAMERA_REHEARSAL_H
#define PLATEN_CAMERA_REHEARSAL_H

#include <stddef.h>

#include "platen_camera.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a control, or of a value in a frame's metadata. */
typedef enum platen_rehearsal_type {
  PLATEN_REHEARSAL_BOOL = 1,
  PLATEN_REHEARSAL_INT32 = 2,
  PLATEN_REHEARSAL_INT64 = 3,
  PLATEN_REHEARSAL_FLOAT = 4,
  PLATEN_REHEARSAL_RECTANGLE = 5, /* at 0,0, with the number as columns and rows */
  PLATEN_REHEARSAL_TWO_FLOATS = 6 /* the same number twice; only in metadata */
} platen_rehearsal_type;

/* A control that the camera lists. */
typedef struct platen_rehearsal_control {
  const char *_Nonnull name;
  uint32_t type; /* platen_rehearsal_type */
  double minimum;
  double maximum; /* in metadata: the value */
  uint32_t has_standard; /* 1: the camera reports a default */
  double standard;
} platen_rehearsal_control;

/*
 * Plans `wanted` for a camera that lists `count` controls, with a sensor and a stream of a size.
 * `text` receives lines of `start` or `request 1`, `request 2` and a control with its value, in the
 * order of the controls' names. `capabilities` receives the camera's capabilities.
 *
 * -ENOTSUP as platen_camera_set_controls().
 */
int platen_rehearse_controls(
    const platen_rehearsal_control *_Nonnull listed, size_t count, uint32_t sensor_width,
    uint32_t sensor_height, uint32_t stream_width, uint32_t stream_height,
    const platen_camera_controls *_Nonnull wanted,
    platen_camera_capabilities *_Nonnull capabilities, char *_Nonnull text, size_t text_size,
    char *_Nullable cause, size_t cause_size);

/*
 * Reads a frame's metadata of its controls. -ENOENT: this libcamera does not know one of the names.
 */
int platen_rehearse_frame(
    const platen_rehearsal_control *_Nonnull metadata, size_t count,
    platen_camera_frame_info *_Nonnull info);

/* A size that a camera on a USB cable has in a format. */
typedef struct platen_rehearsal_size {
  uint32_t format; /* DRM fourcc */
  uint32_t width;
  uint32_t height;
} platen_rehearsal_size;

/*
 * Chooses the format of a stream for a camera on a USB cable with `count` sizes, in the order of
 * their area in each format. Requests are adjusted as libcamera's uvcvideo pipeline adjusts them
 * (UVCCameraConfiguration::validate() in src/libcamera/pipeline/uvcvideo/uvcvideo.cpp).
 *
 * -ENOTSUP as platen_camera_start().
 */
int platen_rehearse_format(
    const platen_rehearsal_size *_Nonnull sizes, size_t count,
    const platen_camera_request *_Nonnull wanted, platen_rehearsal_size *_Nonnull chosen,
    char *_Nullable cause, size_t cause_size);

/* Returns the form of raw samples by DRM's fourcc and modifier. -ENOTSUP: another format. */
int platen_rehearse_raw(uint32_t fourcc, uint64_t modifier, platen_camera_raw *_Nonnull raw);

/*
 * Learns a camera's own time from frame to frame from the timestamps of its frames, in nanoseconds,
 * which nothing slows. `interval_ns` receives the time; 0 while it is unknown.
 */
int platen_rehearse_interval(
    const int64_t *_Nonnull timestamps_ns, size_t count, int64_t *_Nonnull interval_ns);

#ifdef __cplusplus
}
#endif

#endif
