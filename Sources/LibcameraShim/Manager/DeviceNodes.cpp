#include "DeviceNodes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <libcamera/property_ids.h>
#include <libcamera/version.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace platen {
namespace {

void for_each_entry(const std::string &path, const std::function<void(std::string_view)> &body) {
  std::unique_ptr<DIR, int (*)(DIR *)> directory(::opendir(path.c_str()), ::closedir);
  if (!directory)
    return;
  while (const dirent *entry = ::readdir(directory.get())) {
    if (entry->d_name[0] != '.')
      body(entry->d_name);
  }
}

bool is_node(std::string_view name, std::string_view kind) {
  return name.size() > kind.size() && name.starts_with(kind) &&
         std::all_of(name.begin() + static_cast<ptrdiff_t>(kind.size()), name.end(),
                     [](char digit) { return digit >= '0' && digit <= '9'; });
}

/// Returns the devices that make up a camera, or nothing when libcamera does not report them.
std::optional<std::vector<dev_t>> devices_of(const libcamera::Camera *camera) {
#if LIBCAMERA_VERSION_MAJOR > 0 || LIBCAMERA_VERSION_MINOR >= 1
  if (camera) {
    if (auto listed = camera->properties().get(libcamera::properties::SystemDevices)) {
      std::vector<dev_t> devices;
      for (int64_t device : *listed)
        devices.push_back(static_cast<dev_t>(device));
      return devices;
    }
  }
#else
  static_cast<void>(camera);
#endif
  return std::nullopt;
}

}  // namespace

platen_cameras_preflight_result preflight(const char *device_root) {
  platen_cameras_preflight_result result = {};
  auto examine = [&](const std::string &path, uint32_t &count) {
    count += 1;
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) == 0)
      return;
    if (errno != EACCES && errno != EPERM && errno != EROFS)
      return;
    if (result.denied_nodes++ == 0)
      std::snprintf(result.first_denied, sizeof result.first_denied, "%s", path.c_str());
  };
  const std::string root = device_root;
  for_each_entry(root, [&](std::string_view name) {
    const std::string path = root + "/" + std::string(name);
    if (is_node(name, "media"))
      examine(path, result.media_nodes);
    else if (is_node(name, "video"))
      examine(path, result.video_nodes);
    else if (is_node(name, "v4l-subdev"))
      examine(path, result.subdevice_nodes);
  });
  for_each_entry(root + "/dma_heap", [&](std::string_view name) {
    examine(root + "/dma_heap/" + std::string(name), result.heap_nodes);
  });
  return result;
}

NodeLoss look_for_lost_nodes(const libcamera::Camera *camera) {
  const auto devices = devices_of(camera);
  bool is_lost = false, is_any_left = false;
  for_each_entry("/proc/self/fd", [&](std::string_view name) {
    char target[256];
    const std::string link = "/proc/self/fd/" + std::string(name);
    const ssize_t length = ::readlink(link.c_str(), target, sizeof target);
    if (length <= 0)
      return;
    const std::string_view path(target, static_cast<size_t>(length));
    if (!path.starts_with("/dev/media") && !path.starts_with("/dev/video") &&
        !path.starts_with("/dev/v4l-subdev"))
      return;
    struct stat status;
    if (::stat(link.c_str(), &status) != 0 || !S_ISCHR(status.st_mode))
      return;
    if (devices && std::find(devices->begin(), devices->end(), status.st_rdev) == devices->end())
      return;
    // The first sign stays true when a new device takes the number; the second works without
    // devtmpfs.
    const std::string device = "/sys/dev/char/" + std::to_string(major(status.st_rdev)) + ":" +
                               std::to_string(minor(status.st_rdev));
    if (path.ends_with(" (deleted)") || ::access(device.c_str(), F_OK) != 0)
      is_lost = true;
    else
      is_any_left = true;
  });
  if (!is_lost)
    return NodeLoss::none;
  return devices || !is_any_left ? NodeLoss::of_this_camera : NodeLoss::of_some_camera;
}

bool any_media_node_is_locked() {
  bool locked = false;
  for_each_entry("/dev", [&](std::string_view name) {
    if (locked || !is_node(name, "media"))
      return;
    const std::string path = "/dev/" + std::string(name);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
      return;
    locked = ::lockf(descriptor, F_TEST, 0) != 0 && (errno == EACCES || errno == EAGAIN);
    ::close(descriptor);
  });
  return locked;
}

}  // namespace platen
