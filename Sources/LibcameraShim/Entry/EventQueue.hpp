// A bounded queue of plain events with an eventfd that is readable while events wait.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <vector>

#include "Failure.hpp"

namespace platen {

/// A queue that libcamera's thread fills and the watcher of the descriptor empties.
///
/// The lock is held for a copy and an eventfd call, never for anything that waits. When the queue
/// is full, the oldest event that `may_drop` allows is dropped. So changes of state are not lost in
/// a flood of frames.
template <typename Event>
class EventQueue {
 public:
  EventQueue(size_t capacity, bool (*may_drop)(const Event &))
      : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        capacity_(capacity),
        may_drop_(may_drop) {
    if (descriptor_ < 0)
      throw Failure{-errno, "no eventfd can be had: " + describe(-errno)};
    events_.reserve(capacity);
  }

  ~EventQueue() { ::close(descriptor_); }

  EventQueue(const EventQueue &) = delete;
  EventQueue &operator=(const EventQueue &) = delete;

  int descriptor() const { return descriptor_; }

  void push(const Event &event) {
    std::lock_guard lock(mutex_);
    if (events_.size() == capacity_) {
      auto oldest = std::find_if(events_.begin(), events_.end(), may_drop_);
      events_.erase(oldest == events_.end() ? events_.begin() : oldest);
      lost_ += 1;
    }
    events_.push_back(event);
    if (events_.size() == 1)
      ::eventfd_write(descriptor_, 1);
  }

  /// Takes the oldest event; resets the descriptor when there is none.
  bool take(Event &event) {
    std::lock_guard lock(mutex_);
    if (events_.empty()) {
      drain();
      return false;
    }
    event = events_.front();
    events_.erase(events_.begin());
    return true;
  }

  /// Drops waiting events, except those that `keep` selects.
  void clear(bool (*keep)(const Event &)) {
    std::lock_guard lock(mutex_);
    std::erase_if(events_, [keep](const Event &event) { return !keep(event); });
    if (events_.empty())
      drain();
  }

  /// Returns the number of events dropped unread.
  uint64_t lost() const {
    std::lock_guard lock(mutex_);
    return lost_;
  }

 private:
  void drain() {
    eventfd_t count;
    ::eventfd_read(descriptor_, &count);
  }

  const int descriptor_;
  const size_t capacity_;
  bool (*const may_drop_)(const Event &);
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  uint64_t lost_ = 0;
};

}  // namespace platen
