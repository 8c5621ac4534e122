// A call into libcamera that may hang, waited for only so long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace platen {

/// Runs `call` on a thread of its own and returns its result, or nothing when it took too long.
///
/// The thread is then left behind, so `call` must own all that it touches.
inline std::optional<int> run_bounded(
    std::chrono::milliseconds limit, std::function<int()> call) {
  struct Outcome {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<int> result;
  };
  auto outcome = std::make_shared<Outcome>();
  std::thread([outcome, call = std::move(call)]() mutable {
    const int result = call();
    // What the call owned must be gone when the caller goes on.
    call = nullptr;
    std::lock_guard lock(outcome->mutex);
    outcome->result = result;
    outcome->changed.notify_one();
  }).detach();
  std::unique_lock lock(outcome->mutex);
  outcome->changed.wait_for(lock, limit, [&] { return outcome->result.has_value(); });
  return outcome->result;
}

}  // namespace platen
