#include "Device.hpp"

#include <libcamera/formats.h>

#include <any>
#include <chrono>
#include <thread>
#include <vector>

#include "../Controls/Capabilities.hpp"
#include "../Controls/Choices.hpp"
#include "../Controls/ControlPlan.hpp"
#include "../Entry/Bounded.hpp"
#include "../Manager/DeviceNodes.hpp"
#include "PreviewChoice.hpp"

namespace platen {
namespace {

using namespace std::chrono_literals;

constexpr auto stop_limit = 10s;

// The limit is the time for libcamera to detect that a USB camera whose node is gone was unplugged.
// It is also the time for a camera to show that another one is gone instead.
constexpr auto disconnect_limit = 500ms;
constexpr auto disconnect_step = 10ms;

constexpr const char *gone_cause =
    "it went away, and libcamera cannot let it go; the process has to be started anew";
constexpr const char *hanging_cause =
    "it hangs, and libcamera cannot let it go; the process has to be started anew";

/// Keeps objects that libcamera may still use after a camera was lost, until the process ends.
///
/// Freeing a request or a buffer that is still queued crashes.
void keep_for_ever(std::any things) {
  static std::mutex mutex;
  static auto *kept = new std::vector<std::any>;
  std::lock_guard lock(mutex);
  kept->push_back(std::move(things));
}

}  // namespace

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

void Device::require_usable() const {
  if (!camera_)
    throw Failure{-EBADF, "it has been closed"};
  if (state_ == State::disconnected)
    throw Failure{-ENODEV, "it has been disconnected"};
  if (state_ == State::gone)
    throw Failure{-ESHUTDOWN, gone_cause};
  if (state_ == State::hanging)
    throw Failure{-ENOTRECOVERABLE, hanging_cause};
}

Negotiated Device::negotiate_here(const platen_camera_request &request) {
  try {
    auto negotiated = negotiate(*camera_, modes(), request, stock_->expected_kind());
    const libcamera::Size size(negotiated.stream.width, negotiated.stream.height);
    require_modes(capabilities_of(*camera_, size), request.controls);
    return negotiated;
  } catch (const Failure &) {
    // A camera whose loss was not detected refuses every request.
    if (look_for_lost_nodes(camera_.get()) == NodeLoss::none)
      throw;
    throw Failure{-ENODEV, "its device nodes are gone"};
  }
}

const SensorModes &Device::modes() {
  // A running stream is not touched: it has been negotiated, and its modes are known.
  if (!modes_ && !stream())
    modes_ = SensorModes::survey(*camera_, configuration_);
  static const SensorModes none;
  return modes_ ? *modes_ : none;
}

platen_camera_stream Device::resolve(const platen_camera_request &request) {
  std::lock_guard lock(control_mutex_);
  require_usable();
  return negotiate_here(request).stream;
}

platen_camera_stream Device::start(const platen_camera_request &request) {
  std::lock_guard lock(control_mutex_);
  require_usable();
  auto negotiated = negotiate_here(request);
  stop_stream();
  platen_camera_request attempt = request;
  uint32_t lacks_raw_memory = 0;
  while (true) {
    const bool has_raw = negotiated.has_raw;
    const bool has_preview = negotiated.stream.preview.width > 0;
    try {
      auto described = apply(attempt, std::move(negotiated));
      described.lacks_raw_memory = lacks_raw_memory;
      return described;
    } catch (const Failure &failure) {
      if (failure.error != -ENOMEM || (!has_raw && !has_preview))
        throw;
    }
    // Pictures without previews or raw frames are better than none.
    if (has_preview) {
      attempt.preview_width = 0;
    } else {
      attempt.wants_raw = 0;
      attempt.preview_width = request.preview_width;
      lacks_raw_memory = 1;
    }
    negotiated = negotiate_here(attempt);
  }
}

platen_camera_stream Device::apply(const platen_camera_request &request, Negotiated negotiated) {
  manager_->free_memory_for(*this);
  // libcamera keeps pointers into the configuration while it is active.
  const int error = camera_->configure(negotiated.configuration.get());
  if (error)
    throw Failure{error, "libcamera cannot configure it: " + describe(error)};
  configuration_ = std::move(negotiated.configuration);
  platen_camera_stream described = negotiated.stream;
  const auto started = start_with_most_buffers(request, negotiated.buffers, described);
  applied_ = request;

  described.memory = stock_->kind_in_use();
  describe_timing(*camera_, nullptr, request.frame_duration_ns, described);
  if (modes_)
    describe_field(*camera_, *modes_, nullptr, described);
  started->begin(described.is_paced ? described.frame_duration_ns : 0);
  return described;
}

std::shared_ptr<RunningStream> Device::start_with_most_buffers(
    const platen_camera_request &request, uint32_t wanted, platen_camera_stream &described) {
  while (true) {
    try {
      return start_stream(request, wanted, described);
    } catch (const Failure &failure) {
      // The driver's internal buffers use the same memory: retry with fewer buffers of the shim.
      // Previews must not cost a buffer.
      const auto had = static_cast<uint32_t>(stock_->size());
      if (failure.error != -ENOMEM || had <= fewest_buffers || described.preview.width > 0)
        throw;
      wanted = std::max(fewest_buffers, had - std::max(1u, had / 8));
    }
  }
}

std::shared_ptr<RunningStream> Device::start_stream(
    const platen_camera_request &request, uint32_t buffers, platen_camera_stream &described) {
  const libcamera::StreamConfiguration &configuration = configuration_->at(0);
  ControlPlan plan(*camera_, request.controls, configuration.size);
  RunningStream::Parts parts = {};
  parts.camera = camera_;
  parts.stream = configuration.stream();
  const bool has_raw = described.raw.mosaic != PLATEN_CAMERA_MOSAIC_NONE;
  parts.raw_stream = has_raw ? configuration_->at(1).stream() : nullptr;
  const bool has_preview = described.preview.width > 0;
  parts.preview_stream = has_preview ? preview_stream_of(*configuration_).stream() : nullptr;
  parts.buffers = fill_buffers(parts.stream, parts.raw_stream, buffers);
  fill_previews(parts.buffers, parts.preview_stream, buffers);
  const BufferShares shares(parts.buffers.size(), configuration.bufferCount, request);
  described.buffer_count = shares.buffers;
  described.ring_frames = shares.ring;
  described.leased_frames = shares.leases;
  parts.requests = shares.requests;
  // libcamera fills raw frames only into the buffers of requests, and has one in its processor.
  parts.fewest_requests = has_raw ? fewest_requests + 1 : fewest_requests;
  parts.ring_frames = shares.ring;
  parts.is_jpeg = configuration.pixelFormat == libcamera::formats::MJPEG;
  parts.events = events_;
  parts.last_frame_id = last_frame_id_;
  parts.field_of_view = FieldOfView::of(*camera_, configuration.size);
  // The function is called only while the stream runs, so the device is alive.
  parts.when_node_is_gone = [this] {
    if (auto running = this->stream())
      running->cease();
    tell_disconnected();
  };
  auto running = std::make_shared<RunningStream>(std::move(parts));
  set_stream(running);

  libcamera::ControlList controls(camera_->controls());
  set(controls, plan.start);
  const auto range = FrameDurationRange::of(*camera_);
  if (range && (request.frame_duration_ns || exposure_of(request.controls)))
    range->set(controls, request.frame_duration_ns, exposure_of(request.controls));
  running->set_controls(std::move(plan.requests));
  const int error = camera_->start(&controls);
  if (error) {
    set_stream(nullptr);
    running->finish();
    throw Failure{error, "libcamera cannot start it: " + describe(error)};
  }
  return running;
}

void Device::stop() {
  std::lock_guard lock(control_mutex_);
  if (camera_)
    stop_stream();
}

bool Device::is_gone_unnoticed(const RunningStream &running) const {
  const NodeLoss loss = look_for_lost_nodes(camera_.get());
  if (loss == NodeLoss::none)
    return false;
  // Either libcamera reports it in a moment, or a frame shows that another camera's node is gone.
  const auto start = std::chrono::steady_clock::now();
  for (auto now = start; now < start + disconnect_limit; now = std::chrono::steady_clock::now()) {
    if (state_ != State::usable)
      return false;
    if (loss == NodeLoss::of_some_camera &&
        std::chrono::nanoseconds(running.silence_ns()) < now - start)
      return false;
    std::this_thread::sleep_for(disconnect_step);
  }
  return state_ == State::usable;
}

void Device::stop_stream() {
  auto running = stream();
  if (!running)
    return;
  auto lose = [&](State state, int error, const char *cause) {
    running->end_queueing();
    state_ = state;
    set_stream(nullptr);
    keep_for_ever(std::make_tuple(running, camera_, stock_, raw_stock_, preview_stock_));
    throw Failure{error, cause};
  };
  if (state_ == State::usable && is_gone_unnoticed(*running)) {
    tell_disconnected();
    lose(State::gone, -ENODEV, gone_cause);
  }
  running->end_queueing();
  const auto result = run_bounded(stop_limit, [camera = camera_] { return camera->stop(); });
  if (!result)
    lose(State::hanging, -ETIMEDOUT, hanging_cause);
  set_stream(nullptr);
  if (state_ == State::disconnected) {
    // libcamera does not return the requests of an unplugged camera.
    keep_for_ever(std::make_tuple(running, stock_, raw_stock_, preview_stock_));
    keeps_buffers_ = true;
    stock_ = std::make_shared<BufferStock>(camera_->id());
    raw_stock_ = std::make_shared<BufferStock>(camera_->id());
    preview_stock_ = std::make_shared<BufferStock>(camera_->id());
  } else {
    running->finish();
  }
  events_->clear([](const platen_camera_event &event) {
    return event.kind == PLATEN_CAMERA_DISCONNECTED;
  });
  if (*result)
    throw Failure{*result, "libcamera cannot stop it: " + describe(*result)};
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

void Device::camera_disconnected() {
  state_ = State::disconnected;
  if (auto running = stream())
    running->cease();
  tell_disconnected();
}

void Device::tell_disconnected() {
  if (has_told_disconnected_.exchange(true))
    return;
  platen_camera_event event = {};
  event.kind = PLATEN_CAMERA_DISCONNECTED;
  events_->push(event);
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
