// An acquired camera and its stream.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../Entry/EventListener.hpp"
#include "../Manager/Manager.hpp"
#include "../Memory/BufferStock.hpp"
#include "FrameLease.hpp"
#include "Negotiation.hpp"
#include "RunningStream.hpp"

namespace platen {

/// A camera of this process: one control call at a time, events and leases at any time.
class Device : public SignalReceiver, public std::enable_shared_from_this<Device> {
 public:
  static std::shared_ptr<Device> acquire(std::shared_ptr<Manager> manager, const std::string &id);

  int event_descriptor() const { return events_->descriptor(); }
  bool take_event(platen_camera_event &event);

  /// Sets the listener that takes the events of finished requests on libcamera's thread.
  void listen(std::shared_ptr<const EventListener> listener) {
    events_->listen(std::move(listener));
  }

  platen_camera_stream resolve(const platen_camera_request &request);
  platen_camera_stream start(const platen_camera_request &request);
  void stop();
  void release();

  /// Frees the memory of a camera that does not stream, including the driver's.
  ///
  /// Does nothing while a call is in progress.
  void give_memory_back();

  int64_t set_frame_duration(int64_t duration_ns);
  platen_camera_capabilities capabilities();
  void set_controls(const platen_camera_controls &controls);

  std::shared_ptr<FrameLease> lease(uint64_t id, FrameRing::Frame &frame);

  void request_completed(libcamera::Request *request) override;
  void camera_disconnected() override;

 private:
  /// The state that decides which calls libcamera may get.
  enum class State {
    usable,
    disconnected,  // libcamera knows that the camera is gone: it can be released
    gone,          // libcamera does not know it: it must not be called for this camera
    hanging,       // libcamera did not stop in time: likewise
  };

  Device(std::shared_ptr<Manager> manager, Manager::Acquired acquired);

  // With the control lock held:
  void require_usable() const;
  bool is_lost() const { return state_ == State::gone || state_ == State::hanging; }
  Negotiated negotiate_here(const platen_camera_request &request);
  libcamera::Size stream_size() const;
  const SensorModes &modes();
  bool is_gone_unnoticed(const RunningStream &running) const;
  platen_camera_stream apply(const platen_camera_request &request, Negotiated negotiated);
  std::vector<std::shared_ptr<FrameMemory>> fill_buffers(
      libcamera::Stream *stream, libcamera::Stream *raw_stream, uint32_t wanted);
  void fill_previews(const std::vector<std::shared_ptr<FrameMemory>> &buffers,
                     libcamera::Stream *preview_stream, uint32_t wanted);
  const platen_camera_raw &raw();
  std::shared_ptr<RunningStream> start_with_most_buffers(
      const platen_camera_request &request, uint32_t wanted, platen_camera_stream &described);
  std::shared_ptr<RunningStream> start_stream(
      const platen_camera_request &request, uint32_t buffers, platen_camera_stream &described);
  void stop_stream();

  std::shared_ptr<RunningStream> stream() const;
  void set_stream(std::shared_ptr<RunningStream> stream);
  void tell_disconnected();

  const std::shared_ptr<Manager> manager_;
  const std::shared_ptr<CameraEvents> events_;
  const std::shared_ptr<uint64_t> last_frame_id_ = std::make_shared<uint64_t>(0);
  SignalSink *const sink_;

  mutable std::mutex control_mutex_;
  std::shared_ptr<libcamera::Camera> camera_;
  std::shared_ptr<BufferStock> stock_;
  std::shared_ptr<BufferStock> raw_stock_;
  std::shared_ptr<BufferStock> preview_stock_;
  std::unique_ptr<libcamera::CameraConfiguration> configuration_;
  std::optional<SensorModes> modes_;  // determined once
  std::optional<platen_camera_raw> raw_;  // of the largest mode, determined once
  std::optional<platen_camera_request> applied_;
  bool keeps_buffers_ = false;  // the buffers of a stream whose camera was unplugged

  mutable std::mutex stream_mutex_;  // only ever held to copy the pointer
  std::shared_ptr<RunningStream> stream_;

  std::atomic<State> state_ = State::usable;
  std::atomic<bool> has_told_disconnected_ = false;
};

}  // namespace platen
