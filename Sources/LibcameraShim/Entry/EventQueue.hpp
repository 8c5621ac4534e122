// A bounded queue of plain events with an eventfd that is readable while events wait.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "EventListener.hpp"
#include "Failure.hpp"

namespace platen {

/// A queue that libcamera's thread fills and the watcher of the descriptor empties.
///
/// The lock is held for a copy and an eventfd call, never for anything that waits. When the queue
/// is full, the oldest event that `may_drop` allows is dropped. So changes of state are not lost in
/// a flood of frames.
///
/// A listener saves the wake-up of the watcher: it takes the events on the thread that delivers
/// them. The descriptor remains the way for all other events, and while the listener is busy.
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

  /// Adds an event and makes the descriptor readable.
  void push(const Event &event) {
    std::lock_guard lock(mutex_);
    add(event);
    signal();
  }

  /// Adds an event that the caller delivers as soon as it has released its locks.
  void push_undelivered(const Event &event) {
    std::lock_guard lock(mutex_);
    add(event);
  }

  /// Gives the waiting events to the listener, else to the descriptor; no lock may be held.
  void deliver() {
    std::shared_ptr<const EventListener> listener;
    {
      std::lock_guard lock(mutex_);
      if (events_.empty())
        return;
      listener = listener_;
    }
    if (listener && listener->take())
      return;
    std::lock_guard lock(mutex_);
    if (!events_.empty())
      signal();
  }

  /// Sets the listener, in place of the former one; null for none.
  ///
  /// The former one may be called for the last time meanwhile, and is destroyed after that.
  void listen(std::shared_ptr<const EventListener> listener) {
    std::lock_guard lock(mutex_);
    listener_.swap(listener);
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
  // With the lock held:
  void add(const Event &event) {
    if (events_.size() == capacity_) {
      auto oldest = std::find_if(events_.begin(), events_.end(), may_drop_);
      events_.erase(oldest == events_.end() ? events_.begin() : oldest);
      lost_ += 1;
    }
    events_.push_back(event);
  }

  void signal() {
    if (!is_signaled_)
      ::eventfd_write(descriptor_, 1);
    is_signaled_ = true;
  }

  void drain() {
    // Without a signal there is nothing to read, as with each frame that the listener takes.
    eventfd_t count;
    if (is_signaled_)
      ::eventfd_read(descriptor_, &count);
    is_signaled_ = false;
  }

  const int descriptor_;
  const size_t capacity_;
  bool (*const may_drop_)(const Event &);
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  std::shared_ptr<const EventListener> listener_;
  bool is_signaled_ = false;
  uint64_t lost_ = 0;
};

}  // namespace platen
