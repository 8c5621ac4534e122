// The finished requests of a stream, and the judgment of their frames.

#include <libcamera/control_ids.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../Controls/FrameControls.hpp"
#include "FrameMetadata.hpp"
#include "RunningStream.hpp"

namespace platen {
namespace {

// FrameMetadata::FrameStartup has this value since 0.5.1 and no name earlier.
constexpr int frame_startup = 3;

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

}  // namespace platen
