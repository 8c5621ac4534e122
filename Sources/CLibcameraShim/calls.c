/* The functions of CLibcameraShim.h, passed on to the camera object. */
#include <errno.h>

#include "object.h"

/* Calls the object, or returns `without` if there is none. */
#define PASS(without, cause, cause_size, call)                       \
  const struct platen_object *object = platen_object(cause, cause_size); \
  return object ? object->call : (without)

const char *platen_cameras_library_version(void) {
  PASS("", NULL, 0, platen_cameras_library_version());
}

int platen_cameras_set_log_level(platen_cameras_log_level level) {
  PASS(-ENOPKG, NULL, 0, platen_cameras_set_log_level(level));
}

int platen_cameras_preflight(const char *device_root, platen_cameras_preflight_result *result) {
  PASS(-ENOPKG, NULL, 0, platen_cameras_preflight(device_root, result));
}

int platen_cameras_open(platen_cameras *cameras, char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size, platen_cameras_open(cameras, cause, cause_size));
}

int platen_cameras_close(platen_cameras cameras, char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size, platen_cameras_close(cameras, cause, cause_size));
}

int platen_cameras_list(
    platen_cameras cameras, platen_cameras_description *items, size_t capacity, char *cause,
    size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_cameras_list(cameras, items, capacity, cause, cause_size));
}

int platen_camera_acquire(
    platen_cameras cameras, const char *id, platen_camera *camera, int *event_descriptor,
    char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_camera_acquire(cameras, id, camera, event_descriptor, cause, cause_size));
}

int platen_camera_release(platen_camera camera, char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size, platen_camera_release(camera, cause, cause_size));
}

int platen_camera_resolve(
    platen_camera camera, const platen_camera_request *request, platen_camera_stream *stream,
    char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_camera_resolve(camera, request, stream, cause, cause_size));
}

int platen_camera_start(
    platen_camera camera, const platen_camera_request *request, platen_camera_stream *stream,
    char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_camera_start(camera, request, stream, cause, cause_size));
}

int platen_camera_stop(platen_camera camera, char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size, platen_camera_stop(camera, cause, cause_size));
}

int platen_camera_set_frame_duration(
    platen_camera camera, int64_t duration_ns, int64_t *applied_ns, char *cause,
    size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_camera_set_frame_duration(camera, duration_ns, applied_ns, cause, cause_size));
}

int platen_camera_capabilities_get(
    platen_camera camera, platen_camera_capabilities *capabilities, char *cause,
    size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_camera_capabilities_get(camera, capabilities, cause, cause_size));
}

int platen_camera_set_controls(
    platen_camera camera, const platen_camera_controls *controls, char *cause,
    size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_camera_set_controls(camera, controls, cause, cause_size));
}

int platen_camera_listen(
    platen_camera camera, int (*take)(void *context), void (*release)(void *context),
    void *context) {
  const struct platen_object *object = platen_object(NULL, 0);
  if (object) return object->platen_camera_listen(camera, take, release, context);
  release(context);
  return -ENOPKG;
}

int platen_camera_next_event(platen_camera camera, platen_camera_event *event) {
  PASS(-ENOPKG, NULL, 0, platen_camera_next_event(camera, event));
}

int platen_camera_lease(
    platen_camera camera, uint64_t frame_id, platen_camera_frame *frame,
    platen_camera_frame_info *info, platen_camera_frame_memory *memory) {
  PASS(-ENOPKG, NULL, 0, platen_camera_lease(camera, frame_id, frame, info, memory));
}

int platen_camera_frame_begin_read(
    platen_camera_frame frame, const void **bytes, uint64_t *count) {
  PASS(-ENOPKG, NULL, 0, platen_camera_frame_begin_read(frame, bytes, count));
}

int platen_camera_frame_end_read(platen_camera_frame frame) {
  PASS(-ENOPKG, NULL, 0, platen_camera_frame_end_read(frame));
}

int platen_camera_frame_begin_raw_read(
    platen_camera_frame frame, const void **bytes, uint64_t *count) {
  PASS(-ENOPKG, NULL, 0, platen_camera_frame_begin_raw_read(frame, bytes, count));
}

int platen_camera_frame_end_raw_read(platen_camera_frame frame) {
  PASS(-ENOPKG, NULL, 0, platen_camera_frame_end_raw_read(frame));
}

int platen_camera_frame_begin_preview_read(
    platen_camera_frame frame, const void **bytes, uint64_t *count) {
  PASS(-ENOPKG, NULL, 0, platen_camera_frame_begin_preview_read(frame, bytes, count));
}

int platen_camera_frame_end_preview_read(platen_camera_frame frame) {
  PASS(-ENOPKG, NULL, 0, platen_camera_frame_end_preview_read(frame));
}

void platen_camera_frame_release(platen_camera_frame frame) {
  const struct platen_object *object = platen_object(NULL, 0);
  if (object) object->platen_camera_frame_release(frame);
}

int platen_rehearse_controls(
    const platen_rehearsal_control *listed, size_t count, uint32_t sensor_width,
    uint32_t sensor_height, uint32_t stream_width, uint32_t stream_height,
    const platen_camera_controls *wanted, platen_camera_capabilities *capabilities, char *text,
    size_t text_size, char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_rehearse_controls(
           listed, count, sensor_width, sensor_height, stream_width, stream_height, wanted,
           capabilities, text, text_size, cause, cause_size));
}

int platen_rehearse_frame(
    const platen_rehearsal_control *metadata, size_t count, platen_camera_frame_info *info) {
  PASS(-ENOPKG, NULL, 0, platen_rehearse_frame(metadata, count, info));
}

int platen_rehearse_format(
    const platen_rehearsal_size *sizes, size_t count, const platen_camera_request *wanted,
    platen_rehearsal_size *chosen, char *cause, size_t cause_size) {
  PASS(-ENOPKG, cause, cause_size,
       platen_rehearse_format(sizes, count, wanted, chosen, cause, cause_size));
}

int platen_rehearse_raw(uint32_t fourcc, uint64_t modifier, platen_camera_raw *raw) {
  PASS(-ENOPKG, NULL, 0, platen_rehearse_raw(fourcc, modifier, raw));
}

int platen_rehearse_interval(
    const int64_t *timestamps_ns, size_t count, int64_t *interval_ns) {
  PASS(-ENOPKG, NULL, 0, platen_rehearse_interval(timestamps_ns, count, interval_ns));
}
