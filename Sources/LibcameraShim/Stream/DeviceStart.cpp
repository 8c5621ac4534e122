// The way of a device to a running stream: negotiation, configuration, buffers and start.

#include <libcamera/formats.h>

#include "../Controls/Capabilities.hpp"
#include "../Controls/Choices.hpp"
#include "../Controls/ControlPlan.hpp"
#include "../Manager/DeviceNodes.hpp"
#include "Device.hpp"
#include "PreviewChoice.hpp"

namespace platen {

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

}  // namespace platen
