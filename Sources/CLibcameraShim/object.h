/* The functions of the camera object, by their names. */
#ifndef PLATEN_OBJECT_H
#define PLATEN_OBJECT_H

#include "CLibcameraShim.h"

#define PLATEN_EACH_CALL(CALL)         \
  CALL(platen_cameras_library_version) \
  CALL(platen_cameras_set_log_level)   \
  CALL(platen_cameras_preflight)       \
  CALL(platen_cameras_open)            \
  CALL(platen_cameras_close)           \
  CALL(platen_cameras_list)            \
  CALL(platen_camera_acquire)          \
  CALL(platen_camera_release)          \
  CALL(platen_camera_resolve)          \
  CALL(platen_camera_start)            \
  CALL(platen_camera_stop)             \
  CALL(platen_camera_set_frame_duration) \
  CALL(platen_camera_capabilities_get) \
  CALL(platen_camera_set_controls)     \
  CALL(platen_camera_listen)           \
  CALL(platen_camera_next_event)       \
  CALL(platen_camera_lease)            \
  CALL(platen_camera_frame_begin_read) \
  CALL(platen_camera_frame_end_read)   \
  CALL(platen_camera_frame_begin_raw_read) \
  CALL(platen_camera_frame_end_raw_read) \
  CALL(platen_camera_frame_begin_preview_read) \
  CALL(platen_camera_frame_end_preview_read) \
  CALL(platen_camera_frame_release)    \
  CALL(platen_rehearse_controls)       \
  CALL(platen_rehearse_frame)          \
  CALL(platen_rehearse_format)         \
  CALL(platen_rehearse_raw)            \
  CALL(platen_rehearse_interval)

#define PLATEN_FIELD(name) __typeof__(name) *name;
struct platen_object {
  PLATEN_EACH_CALL(PLATEN_FIELD)
  char path[512];
};

/* Returns the loaded object; loads it if none is loaded. NULL after a failure, with `cause`. */
const struct platen_object *platen_object(char *cause, size_t cause_size);

#endif
