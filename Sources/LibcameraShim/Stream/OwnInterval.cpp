#include "OwnInterval.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace platen {
namespace {

// The median of these is right even if the first three intervals are not.
constexpr size_t intervals_to_learn = 7;

// The number of successive intervals, each a fifth shorter, that mean another rate.
constexpr uint32_t intervals_to_relearn = 3;

}  // namespace

bool OwnInterval::take(int64_t timestamp_ns, bool is_slowed) {
  const auto last = std::exchange(last_timestamp_ns_, timestamp_ns);
  if (!last)
    return false;
  const int64_t interval = timestamp_ns - *last;
  if (value_ns_) {
    // In the dark, frames took longer.
    quick_intervals_ = interval < *value_ns_ * 8 / 10 ? quick_intervals_ + 1 : 0;
    if (is_slowed || quick_intervals_ < intervals_to_relearn)
      return false;
    // Frames that were held up come in a burst, which is no rate. So the next intervals decide.
    quick_intervals_ = 0;
    first_intervals_ns_.clear();
    value_ns_.reset();
    return true;
  }
  first_intervals_ns_.push_back(interval);
  if (first_intervals_ns_.size() < intervals_to_learn)
    return false;
  const auto median = first_intervals_ns_.begin() + intervals_to_learn / 2;
  std::nth_element(first_intervals_ns_.begin(), median, first_intervals_ns_.end());
  value_ns_ = *median;
  return true;
}

}  // namespace platen
