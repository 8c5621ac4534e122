// The functions of platen_camera.h.
#include <memory>
#include <utility>

#include "../Stream/Device.hpp"
#include "Handles.hpp"
#include "platen_camera.h"

using platen::devices;
using platen::guarded;

// Never freed: handles may be used until the process ends.
platen::HandleTable<platen::Device> &platen::devices() {
  static auto *table = new HandleTable<Device>;
  return *table;
}

extern "C" int platen_camera_acquire(
    platen_cameras cameras, const char *id, platen_camera *camera, int *event_descriptor,
    char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    *camera = 0;
    auto device = platen::Device::acquire(platen::managers().find(cameras), id);
    *event_descriptor = device->event_descriptor();
    *camera = devices().insert(std::move(device));
    return 0;
  });
}

extern "C" int platen_camera_release(platen_camera camera, char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    if (auto device = devices().remove(camera))
      device->release();
    return 0;
  });
}

extern "C" int platen_camera_resolve(
    platen_camera camera, const platen_camera_request *request, platen_camera_stream *stream,
    char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    *stream = devices().find(camera)->resolve(*request);
    return 0;
  });
}

extern "C" int platen_camera_start(
    platen_camera camera, const platen_camera_request *request, platen_camera_stream *stream,
    char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    *stream = devices().find(camera)->start(*request);
    return 0;
  });
}

extern "C" int platen_camera_stop(platen_camera camera, char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    if (camera)
      devices().find(camera)->stop();
    return 0;
  });
}

extern "C" int platen_camera_set_frame_duration(
    platen_camera camera, int64_t duration_ns, int64_t *applied_ns, char *cause,
    size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    *applied_ns = devices().find(camera)->set_frame_duration(duration_ns);
    return 0;
  });
}

extern "C" int platen_camera_capabilities_get(
    platen_camera camera, platen_camera_capabilities *capabilities, char *cause,
    size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    *capabilities = devices().find(camera)->capabilities();
    return 0;
  });
}

extern "C" int platen_camera_set_controls(
    platen_camera camera, const platen_camera_controls *controls, char *cause,
    size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    devices().find(camera)->set_controls(*controls);
    return 0;
  });
}

extern "C" int platen_camera_listen(
    platen_camera camera, int (*take)(void *context), void (*release)(void *context),
    void *context) {
  return guarded([&] {
    // Made first, because it releases the context after a failure, too.
    auto listener = std::make_shared<const platen::EventListener>(take, release, context);
    devices().find(camera)->listen(std::move(listener));
    return 0;
  });
}

extern "C" int platen_camera_next_event(platen_camera camera, platen_camera_event *event) {
  return guarded([&] { return devices().find(camera)->take_event(*event) ? 1 : 0; });
}
