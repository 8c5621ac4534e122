// The time from frame to frame that a camera keeps by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace platen {

/// Learns a camera's own interval from timestamps: a value without locks, threads or libcamera.
///
/// The median of the first intervals counts. The very first ones are often too short or too long,
/// because a driver begins its rhythm anew, or a busy machine is late. An interval that is learned
/// too short would slow a camera that has the wanted rate already.
class OwnInterval {
 public:
  /// Takes a frame's timestamp in nanoseconds; returns whether the interval has changed.
  ///
  /// Frames of a camera that is slowed tell nothing of its own interval, once that is known.
  bool take(int64_t timestamp_ns, bool is_slowed);

  /// Returns the interval in nanoseconds; nothing while it is unknown.
  std::optional<int64_t> value_ns() const { return value_ns_; }

 private:
  std::optional<int64_t> last_timestamp_ns_;
  std::vector<int64_t> first_intervals_ns_;
  uint32_t quick_intervals_ = 0;  // in a row
  std::optional<int64_t> value_ns_;
};

}  // namespace platen
