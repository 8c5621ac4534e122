#include "Device.hpp"

#include "../Controls/Capabilities.hpp"
#include "../Controls/Choices.hpp"
#include "../Controls/ControlPlan.hpp"

namespace platen {

Device::Device(std::shared_ptr<Manager> manager, Manager::Acquired acquired)
    : manager_(std::move(manager)),
      events_(std::make_shared<CameraEvents>(
          256,
          [](const platen_camera_event &event) {
            return event.kind == PLATEN_CAMERA_FRAME || event.kind == PLATEN_CAMERA_DAMAGED;
          })),
      sink_(acquired.sink),
      camera_(std::move(acquired.camera)),
      stock_(std::make_shared<BufferStock>(camera_->id())),
      raw_stock_(std::make_shared<BufferStock>(camera_->id())),
      preview_stock_(std::make_shared<BufferStock>(camera_->id())) {}

std::shared_ptr<Device> Device::acquire(std::shared_ptr<Manager> manager, const std::string &id) {
  auto acquired = manager->acquire(id);
  auto camera = acquired.camera;
  try {
    std::shared_ptr<Device> device(new Device(manager, std::move(acquired)));
    device->sink_->attach(device);
    device->manager_->add(device);
    return device;
  } catch (...) {
    camera->release();
    manager->release();
    throw;
  }
}

bool Device::take_event(platen_camera_event &event) {
  if (!events_->take(event))
    return false;
  event.lost_events = events_->lost();
  return true;
}

void Device::release() {
  std::lock_guard lock(control_mutex_);
  if (!camera_)
    return;
  std::optional<Failure> failure;
  try {
    stop_stream();
  } catch (const Failure &thrown) {
    failure = thrown;
  }
  sink_->detach();
  // The stream of a lost camera keeps the events, which must not keep the listener.
  events_->listen(nullptr);
  if (is_lost()) {
    manager_->abandon(state_ == State::hanging ? -ENOTRECOVERABLE : -ESHUTDOWN);
  } else {
    stock_->clear();
    raw_stock_->clear();
    preview_stock_->clear();
    configuration_.reset();
    camera_->release();
    camera_.reset();
    // Buffers that are kept are freed only by the end of the process.
    if (keeps_buffers_)
      manager_->abandon(-ESHUTDOWN);
    else
      manager_->release();
  }
  camera_.reset();
  if (failure)
    throw *failure;
}

int64_t Device::set_frame_duration(int64_t duration_ns) {
  std::lock_guard lock(control_mutex_);
  require_usable();
  auto running = stream();
  if (!running)
    throw Failure{-ENOTCONN, "it does not stream"};
  if (duration_ns < 0)
    throw Failure{-EINVAL, "the time between frames is negative"};
  applied_->frame_duration_ns = duration_ns;
  if (const auto range = FrameDurationRange::of(*camera_)) {
    const int64_t exposure_ns = exposure_of(applied_->controls);
    running->set_frame_duration(*range, duration_ns, exposure_ns);
    return duration_ns ? range->applied(duration_ns, exposure_ns) : 0;
  }
  running->set_pace(duration_ns);
  return duration_ns;
}

libcamera::Size Device::stream_size() const {
  return configuration_ ? configuration_->at(0).size : libcamera::Size();
}

platen_camera_capabilities Device::capabilities() {
  std::lock_guard lock(control_mutex_);
  require_usable();
  // Before the first configure() the limits are placeholders.
  modes();
  auto has = capabilities_of(*camera_, stream_size());
  has.raw = raw();
  return has;
}

void Device::set_controls(const platen_camera_controls &controls) {
  std::lock_guard lock(control_mutex_);
  require_usable();
  ControlPlan plan(*camera_, controls, stream_size());
  auto running = stream();
  if (!running)
    return;
  // The time between frames must leave room for the exposure, so it is set first.
  const int64_t exposure_ns = exposure_of(controls);
  if (const auto range = FrameDurationRange::of(*camera_);
      range && exposure_ns != exposure_of(applied_->controls))
    running->set_frame_duration(*range, applied_->frame_duration_ns, exposure_ns);
  applied_->controls = controls;
  running->set_controls(std::move(plan.requests));
}

std::shared_ptr<FrameLease> Device::lease(uint64_t id, FrameRing::Frame &frame) {
  auto running = stream();
  auto found = running ? running->lease(id) : std::nullopt;
  if (!found)
    throw Failure{-ENOENT, "the ring has moved past the frame"};
  frame = *found;
  return std::make_shared<FrameLease>(running, *found);
}

void Device::request_completed(libcamera::Request *request) {
  if (auto running = stream())
    running->request_completed(request);
}

std::shared_ptr<RunningStream> Device::stream() const {
  std::lock_guard lock(stream_mutex_);
  return stream_;
}

void Device::set_stream(std::shared_ptr<RunningStream> stream) {
  std::lock_guard lock(stream_mutex_);
  stream_ = std::move(stream);
}

}  // namespace platen
