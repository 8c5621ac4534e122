#include "Manager.hpp"

#include <libcamera/property_ids.h>

#include <algorithm>
#include <atomic>

#include "../Stream/Device.hpp"
#include "DeviceNodes.hpp"

namespace platen {
namespace {

std::atomic<bool> is_open = false;

template <size_t Size>
void copy_text(char (&destination)[Size], const std::string &text) {
  std::snprintf(destination, Size, "%s", text.c_str());
}

platen_cameras_description describe_camera(const libcamera::Camera &camera) {
  namespace properties = libcamera::properties;
  const libcamera::ControlList &listed = camera.properties();
  platen_cameras_description description = {};
  copy_text(description.id, camera.id());
  // The model is a string in some versions, a string view in others.
  const auto model = listed.get(properties::Model);
  copy_text(description.model, model ? std::string(*model) : camera.id());
  if (const auto location = listed.get(properties::Location)) {
    if (*location == properties::CameraLocationFront)
      description.location = PLATEN_CAMERAS_LOCATION_FRONT;
    else if (*location == properties::CameraLocationBack)
      description.location = PLATEN_CAMERAS_LOCATION_BACK;
    else if (*location == properties::CameraLocationExternal)
      description.location = PLATEN_CAMERAS_LOCATION_EXTERNAL;
  }
  description.rotation = listed.get(properties::Rotation).value_or(0);
  if (const auto size = listed.get(properties::PixelArraySize)) {
    description.width = size->width;
    description.height = size->height;
  }
  return description;
}

}  // namespace

std::shared_ptr<Manager> Manager::open() {
  if (is_open.exchange(true))
    throw Failure{-EBUSY, "this process has a camera manager already"};
  try {
    std::shared_ptr<Manager> manager(new Manager);
    manager->start_libcamera();
    return manager;
  } catch (...) {
    is_open = false;
    throw;
  }
}

Manager::~Manager() {
  // With a camera lost, libcamera's stop() would wait forever; the process is to end soon.
  if (abandoned_ || acquired_)
    static_cast<void>(libcamera_.release());
}

void Manager::start_libcamera() {
  auto libcamera = std::make_unique<libcamera::CameraManager>();
  const int error = libcamera->start();
  // Without any media device, builds without udev fail with ENODEV: the list is empty.
  if (error && error != -ENODEV)
    throw Failure{error, "libcamera cannot start: " + describe(error)};
  if (!error)
    libcamera_ = std::move(libcamera);
}

void Manager::stop_libcamera() {
  if (libcamera_)
    libcamera_->stop();
  libcamera_.reset();
  sinks_.clear();
}

void Manager::require_usable() const {
  if (abandoned_)
    throw Failure{
        abandoned_, "a camera was lost while it streamed; the process has to be started anew"};
}

void Manager::close() {
  std::lock_guard lock(mutex_);
  require_usable();
  if (acquired_)
    throw Failure{-EBUSY, "a camera is still open"};
  stop_libcamera();
  is_open = false;
}

void Manager::look_again_if_idle() {
  if (acquired_)
    return;
  if (libcamera_ && !libcamera_->cameras().empty() &&
      look_for_lost_nodes(nullptr) == NodeLoss::none)
    return;
  stop_libcamera();
  start_libcamera();
}

std::vector<platen_cameras_description> Manager::list() {
  std::lock_guard lock(mutex_);
  require_usable();
  look_again_if_idle();
  std::vector<platen_cameras_description> descriptions;
  if (libcamera_) {
    for (const auto &camera : libcamera_->cameras())
      descriptions.push_back(describe_camera(*camera));
  }
  std::sort(descriptions.begin(), descriptions.end(), [](const auto &one, const auto &other) {
    return std::strcmp(one.id, other.id) < 0;
  });
  return descriptions;
}

Manager::Acquired Manager::acquire(const std::string &id) {
  std::lock_guard lock(mutex_);
  require_usable();
  look_again_if_idle();
  auto camera = libcamera_ ? libcamera_->get(id) : nullptr;
  if (!camera) {
    const auto nodes = preflight("/dev");
    if (nodes.denied_nodes)
      throw Failure{-EACCES, std::string(nodes.first_denied) + " may not be opened"};
    const bool lists_none = !libcamera_ || libcamera_->cameras().empty();
    if (lists_none && acquired_ == 0 && any_media_node_is_locked())
      throw Failure{-EBUSY, "another process uses a camera, and libcamera does not list it now"};
    throw Failure{-ENODEV, "libcamera lists no camera with this ID"};
  }
  const int error = camera->acquire();
  if (error == -EBUSY)
    throw Failure{error, "another process has it, or it is open already"};
  if (error)
    throw Failure{error, "libcamera cannot acquire it: " + describe(error)};
  acquired_ += 1;
  return {camera, sink_for(camera)};
}

void Manager::add(const std::shared_ptr<Device> &device) {
  std::lock_guard lock(mutex_);
  std::erase_if(devices_, [](const auto &known) { return known.expired(); });
  devices_.push_back(device);
}

void Manager::free_memory_for(const Device &device) {
  std::vector<std::weak_ptr<Device>> devices;
  {
    std::lock_guard lock(mutex_);
    devices = devices_;
  }
  for (const auto &known : devices) {
    if (const auto other = known.lock(); other && other.get() != &device)
      other->give_memory_back();
  }
}

SignalSink *Manager::sink_for(const std::shared_ptr<libcamera::Camera> &camera) {
  for (const auto &sink : sinks_) {
    if (sink->is_for(camera))
      return sink.get();
  }
  return sinks_.emplace_back(std::make_unique<SignalSink>(camera)).get();
}

void Manager::release() {
  std::lock_guard lock(mutex_);
  acquired_ -= 1;
}

void Manager::abandon(int error) {
  std::lock_guard lock(mutex_);
  acquired_ -= 1;
  if (!abandoned_)
    abandoned_ = error;
}

}  // namespace platen
