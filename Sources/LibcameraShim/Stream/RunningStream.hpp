// A started stream: requests circulating between libcamera and the ring of frames.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/request.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "../Controls/ControlPlan.hpp"
#include "../Entry/EventQueue.hpp"
#include "FrameDuration.hpp"
#include "FrameRing.hpp"
#include "OwnInterval.hpp"
#include "Pacer.hpp"
#include "platen_camera.h"

namespace platen {

using CameraEvents = EventQueue<platen_camera_event>;

/// Keeps the camera supplied with requests and the ring with finished frames.
///
/// Requests and buffers are independent: a finished request goes back at once with another buffer,
/// so the camera never waits for a reader. While frames are leased, some requests wait instead, so
/// that the ring keeps its frames. The code on libcamera's thread copies metadata, swaps buffers,
/// queues, posts an event and delivers it without the lock. The lock is never held during a wait,
/// above all not around Camera::stop(), which completes requests on that thread.
///
/// The lifetime of a stream is: construction, Camera::start(), begin(), end_queueing(),
/// Camera::stop(), finish(). A camera that is gone gets no stop(); its requests must then never be
/// freed.
class RunningStream {
 public:
  struct Parts {
    std::shared_ptr<libcamera::Camera> camera;
    libcamera::Stream *stream;
    libcamera::Stream *raw_stream;      // null without raw frames
    libcamera::Stream *preview_stream;  // null without previews
    std::vector<std::shared_ptr<FrameMemory>> buffers;
    uint32_t requests;
    uint32_t fewest_requests;  // take buffers of the ring, too
    uint32_t ring_frames;  // kept for leases by all but the fewest requests
    bool is_jpeg;
    std::shared_ptr<CameraEvents> events;
    std::shared_ptr<uint64_t> last_frame_id;  // only used under a stream's lock
    std::optional<FieldOfView> field_of_view;
    std::function<void()> when_node_is_gone;
  };

  explicit RunningStream(Parts parts);

  /// Queues the first requests.
  ///
  /// With a pace above 0, only the two that drivers need to begin are queued until the camera's own
  /// rate is known.
  void begin(int64_t pace_ns);

  /// Ends queueing; waits for the pacer, not for the camera.
  void end_queueing();

  /// Ends queueing from libcamera's thread, where waiting is not allowed.
  void cease();

  /// Frees the requests and releases the buffers; only after Camera::stop() has returned.
  void finish();

  void request_completed(libcamera::Request *request);

  std::optional<FrameRing::Frame> lease(uint64_t id);
  void end_lease(uint64_t id);

  void set_pace(int64_t pace_ns);
  void set_frame_duration(
      const FrameDurationRange &range, int64_t duration_ns, int64_t exposure_ns);

  /// Applies these controls to the next requests, one list each, after those still waiting.
  ///
  /// Of two lists, the first has the modes, which are not repeated while they stay. Successive
  /// values thus take effect on successive frames.
  void set_controls(std::vector<ControlValues> steps);

  /// Returns the time since the driver last filled a buffer, in nanoseconds.
  int64_t silence_ns() const;

 private:
  struct Slot {
    std::unique_ptr<libcamera::Request> request;
    std::shared_ptr<FrameMemory> memory;
  };
  struct WantedDuration {
    FrameDurationRange range;
    int64_t duration_ns;
    int64_t exposure_ns;
  };

  // With the lock held:
  void complete(libcamera::Request *request);
  void accept(libcamera::Request &request, std::shared_ptr<FrameMemory> memory);
  void hand_back(size_t slot, bool even_the_last = false);
  void fail(int error);
  void post(uint32_t kind, const platen_camera_frame_info &frame = {}, int error = 0);

  void hand_back_one_waiting();
  void pace();

  /// Looks for a lost camera after a silence; returns the time until the next look.
  std::chrono::nanoseconds look();

  Parts parts_;
  mutable std::mutex mutex_;
  FrameRing ring_;
  std::vector<Slot> slots_;
  std::vector<size_t> waiting_;  // slots held back for the pace, oldest first
  std::vector<size_t> idle_;     // slots without a buffer
  std::optional<WantedDuration> wanted_;
  std::deque<ControlValues> control_steps_;
  ControlValues last_modes_;  // those of the newest list; empty when unknown
  uint32_t queued_ = 0;
  bool is_queueing_ = false;
  bool is_delivering_ = false;  // what is posted is delivered when the lock has been released
  bool is_paced_ = false;
  int64_t wanted_pace_ns_ = 0;
  OwnInterval own_interval_;
  bool is_starved_ = false;
  bool has_succeeded_ = false;  // a frame of this stream was whole
  uint32_t first_errors_ = 0;   // before the first whole frame
  bool has_failed_ = false;
  int64_t last_filled_ns_ = 0;
  std::unique_ptr<Pacer> pacer_;
};

}  // namespace platen
