// The thread that makes a camera slower which cannot be told to be.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace platen {

/// Calls at an even pace, and now and then for a look at the camera's health.
class Pacer {
 public:
  /// `hand_back` is called once a period, `look` every half second; both on the pacer's thread.
  Pacer(std::chrono::nanoseconds period, std::function<void()> hand_back,
        std::function<void()> look);

  /// Waits for a running call to end.
  ~Pacer();

  Pacer(const Pacer &) = delete;
  Pacer &operator=(const Pacer &) = delete;

  /// Another period, from now on; 0 is none at all.
  void set_period(std::chrono::nanoseconds period);

 private:
  using Clock = std::chrono::steady_clock;

  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::nanoseconds period_;
  Clock::time_point next_;
  bool is_ending_ = false;
  const std::function<void()> hand_back_;
  const std::function<void()> look_;
  std::thread thread_;
};

}  // namespace platen
