// A call into libcamera that may hang, with a timeout.
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

/// Runs `call` on its own thread and returns its result, or nothing after the timeout.
///
/// After the timeout the thread keeps running, so `call` must own everything that it uses.
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
    // The objects that the call owned must be gone when the caller continues.
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
