#include "RunningStream.hpp"

#include <libcamera/control_ids.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../Controls/FrameControls.hpp"
#include "../Manager/DeviceNodes.hpp"
#include "FrameMetadata.hpp"
#include "Negotiation.hpp"

namespace platen {
namespace {

// FrameMetadata::FrameStartup has this value since 0.5.1 and no name earlier.
constexpr int frame_startup = 3;

constexpr int64_t silence_before_a_look_ns = 1'000'000'000;
constexpr std::chrono::milliseconds look_interval{500};
/// Another camera's nodes may be the lost ones, and a starved machine has pauses of a second.
constexpr int64_t silence_before_a_guess_ns = 3'000'000'000;

// The most lists of controls that wait for requests: the modes and the steps of the longest bracket.
constexpr size_t most_waiting_lists = 8;

// Two exposures are further apart, and one frame's timestamps are nearer.
constexpr int64_t same_exposure_ns = 1'000'000;

// The most frames with an error before the first good one that a sensor's start explains.
constexpr uint32_t most_first_errors = 10;

/// Returns whether a JPEG image has its end.
///
/// A USB camera truncates some images silently, and others have padding behind the end. Within an
/// image these two bytes do not occur.
bool has_end_of_image(const FrameMemory &memory, uint32_t byte_count) {
  if (memory.begin_read() != 0)
    return true;
  const uint8_t *bytes = memory.bytes();
  uint32_t end = byte_count;
  while (end >= 2 && !(bytes[end - 2] == 0xff && bytes[end - 1] == 0xd9))
    end -= 1;
  const bool has_end = end >= 2;
  memory.end_read();
  return has_end;
}

bool is_whole(const FrameMemory &memory) {
  const auto status = memory.buffer()->metadata().status;
  return static_cast<int>(status) == libcamera::FrameMetadata::FrameSuccess;
}

/// Returns whether a whole raw frame is of the exposure of a processed one.
///
/// Both have the time of the sensor's frame start, as far as the driver converts it equally.
bool is_of_exposure(const FrameMemory &raw, const libcamera::FrameMetadata &processed,
                    const libcamera::ControlList &metadata) {
  if (!is_whole(raw))
    return false;
  const auto time = static_cast<int64_t>(raw.buffer()->metadata().timestamp);
  const int64_t expected = metadata.get(libcamera::controls::SensorTimestamp)
                               .value_or(static_cast<int64_t>(processed.timestamp));
  return std::abs(time - expected) < same_exposure_ns;
}

}  // namespace

RunningStream::RunningStream(Parts parts) : parts_(std::move(parts)), ring_(parts_.buffers) {
  parts_.buffers.clear();
  for (uint32_t index = 0; index < parts_.requests; index++) {
    auto request = parts_.camera->createRequest(index);
    if (!request)
      throw Failure{-ENOMEM, "libcamera makes no request"};
    slots_.push_back({std::move(request), nullptr});
  }
  waiting_.reserve(slots_.size());
  idle_.reserve(slots_.size());
}

void RunningStream::begin(int64_t pace_ns) {
  std::lock_guard lock(mutex_);
  is_queueing_ = true;
  wanted_pace_ns_ = pace_ns;
  last_filled_ns_ = monotonic_now();
  for (size_t slot = 0; slot < slots_.size(); slot++) {
    if (pace_ns > 0 && slot >= fewest_requests)
      waiting_.push_back(slot);
    else
      hand_back(slot);
  }
  pacer_ = std::make_unique<Pacer>(
      std::chrono::nanoseconds(0), [this] { hand_back_one_waiting(); }, [this] { return look(); });
}

void RunningStream::cease() {
  std::lock_guard lock(mutex_);
  is_queueing_ = false;
}

void RunningStream::end_queueing() {
  std::unique_ptr<Pacer> pacer;
  {
    std::lock_guard lock(mutex_);
    is_queueing_ = false;
    pacer = std::move(pacer_);
  }
}

void RunningStream::finish() {
  std::lock_guard lock(mutex_);
  slots_.clear();
  waiting_.clear();
  idle_.clear();
  ring_.clear();
}

void RunningStream::request_completed(libcamera::Request *request) {
  {
    std::lock_guard lock(mutex_);
    is_delivering_ = true;
    complete(request);
    is_delivering_ = false;
  }
  // Without the lock, on this thread: an event of each frame would wake another thread.
  parts_.events->deliver();
}

void RunningStream::complete(libcamera::Request *request) {
  const size_t slot = request->cookie();
  if (slot >= slots_.size() || slots_[slot].request.get() != request)
    return;
  queued_ -= 1;
  auto memory = std::move(slots_[slot].memory);
  if (request->status() == libcamera::Request::RequestCancelled) {
    ring_.put_back(std::move(memory));
    idle_.push_back(slot);
    fail(-ECANCELED);
    return;
  }
  accept(*request, std::move(memory));
  if (is_paced_ && is_queueing_)
    waiting_.push_back(slot);
  else
    hand_back(slot);
}

void RunningStream::accept(libcamera::Request &request, std::shared_ptr<FrameMemory> memory) {
  // The buffer has the status of success, not the request.
  const libcamera::FrameMetadata &buffer = memory->buffer()->metadata();
  const libcamera::ControlList &metadata = request.metadata();
  const int status = static_cast<int>(buffer.status);
  last_filled_ns_ = monotonic_now();
  const uint32_t used = bytes_used(buffer);
  const uint32_t byte_count = used ? std::min(used, memory->size()) : memory->size();
  const bool is_complete = !parts_.is_jpeg || has_end_of_image(*memory, byte_count);
  if (status == libcamera::FrameMetadata::FrameSuccess && is_complete) {
    has_succeeded_ = true;
    platen_camera_frame_info info = describe_frame(metadata, buffer);
    describe_controls(metadata, parts_.field_of_view, info);
    info.id = ++*parts_.last_frame_id;
    if (pacer_ && own_interval_.take(info.timestamp_ns, is_paced_))
      pace();
    const bool has_raw = memory->raw() && is_of_exposure(*memory->raw(), buffer, metadata);
    // The image processor fills the processed buffers of a request from one exposure. It may stamp
    // each with the time of its completion, so that times prove nothing.
    const bool has_preview = memory->preview() && is_whole(*memory->preview());
    ring_.hold(info, byte_count, std::move(memory), has_raw, has_preview);
    if (is_queueing_)
      post(PLATEN_CAMERA_FRAME, info);
    return;
  }
  // Sensors whose first frames are never right mark those with an error.
  first_errors_ += has_succeeded_ ? 0 : 1;
  const bool is_told = has_succeeded_ || first_errors_ > most_first_errors;
  if (status != frame_startup && is_told && is_queueing_)
    post(PLATEN_CAMERA_DAMAGED, describe_frame(metadata, buffer));
  ring_.put_back(std::move(memory));
}

void RunningStream::hand_back(size_t slot, bool even_the_last) {
  const size_t kept = even_the_last ? 0 : queued_ < parts_.fewest_requests ? 1 : parts_.ring_frames;
  auto memory = is_queueing_ ? ring_.take(kept) : nullptr;
  if (!memory) {
    idle_.push_back(slot);
    if (is_queueing_ && queued_ == 0 && !is_starved_) {
      is_starved_ = true;
      post(PLATEN_CAMERA_STARVED);
    }
    return;
  }
  libcamera::Request &request = *slots_[slot].request;
  request.reuse(libcamera::Request::Default);
  if (wanted_) {
    wanted_->range.set(request.controls(), wanted_->duration_ns, wanted_->exposure_ns);
    wanted_.reset();
  }
  if (!control_steps_.empty()) {
    set(request.controls(), control_steps_.front());
    control_steps_.pop_front();
  }
  int error = request.addBuffer(parts_.stream, memory->buffer());
  if (!error && memory->raw())
    error = request.addBuffer(parts_.raw_stream, memory->raw()->buffer());
  if (!error && memory->preview())
    error = request.addBuffer(parts_.preview_stream, memory->preview()->buffer());
  // The memory must be in its slot before the request is queued.
  slots_[slot].memory = std::move(memory);
  queued_ += 1;
  if (!error)
    error = parts_.camera->queueRequest(&request);
  if (error) {
    queued_ -= 1;
    ring_.put_back(std::move(slots_[slot].memory));
    idle_.push_back(slot);
    fail(error);
    return;
  }
  if (is_starved_) {
    is_starved_ = false;
    post(PLATEN_CAMERA_REPLENISHED);
  }
}

void RunningStream::fail(int error) {
  // Canceling is how libcamera stops; it is a failure only when this stream did not stop.
  if (!is_queueing_)
    return;
  is_queueing_ = false;
  has_failed_ = true;
  post(PLATEN_CAMERA_STREAM_FAILED, {}, error);
}

void RunningStream::post(uint32_t kind, const platen_camera_frame_info &frame, int error) {
  platen_camera_event event = {};
  event.kind = kind;
  event.error = error;
  event.frame = frame;
  if (is_delivering_)
    parts_.events->push_undelivered(event);
  else
    parts_.events->push(event);
}

void RunningStream::hand_back_one_waiting() {
  std::lock_guard lock(mutex_);
  if (waiting_.empty() || !is_queueing_)
    return;
  const size_t slot = waiting_.front();
  waiting_.erase(waiting_.begin());
  hand_back(slot);
}

std::chrono::nanoseconds RunningStream::look() {
  const int64_t silence = silence_ns();
  if (silence < silence_before_a_look_ns)
    return std::chrono::nanoseconds(silence_before_a_look_ns - silence);
  {
    std::lock_guard lock(mutex_);
    // A lost camera may first show by requests that cannot be queued any more.
    if ((!is_queueing_ && !has_failed_) || is_starved_)
      return look_interval;
  }
  const NodeLoss loss = look_for_lost_nodes(parts_.camera.get());
  if (loss == NodeLoss::of_this_camera ||
      (loss == NodeLoss::of_some_camera && silence >= silence_before_a_guess_ns))
    parts_.when_node_is_gone();
  return look_interval;
}

std::optional<FrameRing::Frame> RunningStream::lease(uint64_t id) {
  std::lock_guard lock(mutex_);
  const FrameRing::Frame *frame = ring_.lease(id);
  return frame ? std::optional(*frame) : std::nullopt;
}

void RunningStream::end_lease(uint64_t id) {
  std::lock_guard lock(mutex_);
  ring_.end_lease(id);
  // At most one buffer has become free. A starved camera gets it even if it holds the only frame to
  // lease, because that frame is old.
  if (!idle_.empty() && is_queueing_) {
    const size_t slot = idle_.front();
    idle_.erase(idle_.begin());
    hand_back(slot, is_starved_);
  }
}

void RunningStream::set_pace(int64_t pace_ns) {
  std::lock_guard lock(mutex_);
  wanted_pace_ns_ = pace_ns;
  if (pacer_)
    pace();
}

void RunningStream::pace() {
  // A camera is not paced until its own rate is known, and never when that is the wanted one. Two
  // clocks side by side would occasionally miss a frame.
  const auto own_ns = own_interval_.value_ns();
  is_paced_ = own_ns && wanted_pace_ns_ > *own_ns * 11 / 10;
  if (wanted_pace_ns_ > 0 && !own_ns)
    return;
  pacer_->set_period(std::chrono::nanoseconds(is_paced_ ? wanted_pace_ns_ : 0));
  while (!is_paced_ && is_queueing_ && !waiting_.empty()) {
    const size_t slot = waiting_.front();
    waiting_.erase(waiting_.begin());
    hand_back(slot);
  }
}

void RunningStream::set_frame_duration(
    const FrameDurationRange &range, int64_t duration_ns, int64_t exposure_ns) {
  std::lock_guard lock(mutex_);
  wanted_ = WantedDuration{range, duration_ns, exposure_ns};
}

void RunningStream::set_controls(std::vector<ControlValues> steps) {
  std::lock_guard lock(mutex_);
  // A camera that stands still must not collect lists; the newest ones are complete.
  if (control_steps_.size() + steps.size() > most_waiting_lists) {
    control_steps_.clear();
    last_modes_.clear();
  }
  const bool has_own_modes = steps.size() == 2;
  if (has_own_modes && steps.front() == last_modes_)
    steps.erase(steps.begin());
  else
    last_modes_ = has_own_modes ? steps.front() : ControlValues();
  control_steps_.insert(control_steps_.end(), std::make_move_iterator(steps.begin()),
                        std::make_move_iterator(steps.end()));
}

int64_t RunningStream::silence_ns() const {
  std::lock_guard lock(mutex_);
  return monotonic_now() - last_filled_ns_;
}

}  // namespace platen
