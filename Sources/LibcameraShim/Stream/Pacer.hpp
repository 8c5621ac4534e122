// The thread that slows a camera without a control for its rate.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace platen {

/// Calls one function at an even pace, and another regularly to check the camera's health.
class Pacer {
 public:
  /// Calls `hand_back` once a period and `look` at once and after each time that it returns.
  ///
  /// Both are called on the pacer's thread.
  Pacer(std::chrono::nanoseconds period, std::function<void()> hand_back,
        std::function<std::chrono::nanoseconds()> look);

  /// Waits for a running call to end.
  ~Pacer();

  Pacer(const Pacer &) = delete;
  Pacer &operator=(const Pacer &) = delete;

  /// Sets another period from now on; 0 for none.
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
  const std::function<std::chrono::nanoseconds()> look_;
  std::thread thread_;
};

}  // namespace platen
