// The functions of platen_cameras.h that concern the manager.
#include <libcamera/camera_manager.h>

#include "../Manager/DeviceNodes.hpp"
#include "Handles.hpp"
#include "platen_cameras.h"

using platen::guarded;
using platen::managers;

// Never freed: handles may be used until the process ends.
platen::HandleTable<platen::Manager> &platen::managers() {
  static auto *table = new HandleTable<Manager>;
  return *table;
}

extern "C" const char *platen_cameras_library_version(void) {
  return libcamera::CameraManager::version().c_str();
}

extern "C" int platen_cameras_preflight(
    const char *device_root, platen_cameras_preflight_result *result) {
  return guarded([&] {
    *result = platen::preflight(device_root);
    return 0;
  });
}

extern "C" int platen_cameras_open(platen_cameras *cameras, char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    *cameras = 0;
    *cameras = managers().insert(platen::Manager::open());
    return 0;
  });
}

extern "C" int platen_cameras_close(platen_cameras cameras, char *cause, size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    if (cameras == 0)
      return 0;
    managers().find(cameras)->close();
    managers().remove(cameras);
    return 0;
  });
}

extern "C" int platen_cameras_list(
    platen_cameras cameras, platen_cameras_description *items, size_t capacity, char *cause,
    size_t cause_size) {
  return guarded(cause, cause_size, [&] {
    const auto listed = managers().find(cameras)->list();
    if (items)
      std::copy_n(listed.begin(), std::min(capacity, listed.size()), items);
    return static_cast<int>(listed.size());
  });
}
