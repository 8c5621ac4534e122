#include "RunningStream.hpp"

#include <utility>

#include "../Manager/DeviceNodes.hpp"
#include "FrameMetadata.hpp"
#include "Negotiation.hpp"

namespace platen {
namespace {

constexpr int64_t silence_before_a_look_ns = 1'000'000'000;
constexpr std::chrono::milliseconds look_interval{500};
/// Another camera's nodes may be the lost ones, and a starved machine has pauses of a second.
constexpr int64_t silence_before_a_guess_ns = 3'000'000'000;

// The most lists of controls that wait for requests: the modes and the steps of the longest bracket.
constexpr size_t most_waiting_lists = 8;

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
