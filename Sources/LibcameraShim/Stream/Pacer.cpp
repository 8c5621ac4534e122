#include "Pacer.hpp"

#include <pthread.h>

#include <algorithm>

namespace platen {

Pacer::Pacer(std::chrono::nanoseconds period, std::function<void()> hand_back,
             std::function<std::chrono::nanoseconds()> look)
    : period_(period),
      next_(Clock::now() + period),
      hand_back_(std::move(hand_back)),
      look_(std::move(look)),
      thread_([this] { run(); }) {}

Pacer::~Pacer() {
  {
    std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Pacer::set_period(std::chrono::nanoseconds period) {
  {
    std::lock_guard lock(mutex_);
    period_ = period;
    next_ = Clock::now() + period;
  }
  changed_.notify_one();
}

void Pacer::run() {
  ::pthread_setname_np(::pthread_self(), "camera-pacer");
  auto next_look = Clock::now();
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    const bool is_paced = period_.count() > 0;
    changed_.wait_until(lock, is_paced ? std::min(next_, next_look) : next_look);
    if (is_ending_)
      return;
    const auto now = Clock::now();
    if (period_.count() > 0 && now >= next_) {
      // Missed beats are not caught up on, because that would be a burst.
      next_ += period_ * ((now - next_) / period_ + 1);
      lock.unlock();
      hand_back_();
      lock.lock();
    }
    if (now >= next_look) {
      lock.unlock();
      next_look = now + look_();
      lock.lock();
    }
  }
}

}  // namespace platen
