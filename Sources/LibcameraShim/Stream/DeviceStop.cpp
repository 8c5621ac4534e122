// The end of a device's stream, and the loss of its camera.

#include <any>
#include <chrono>
#include <thread>
#include <vector>

#include "../Entry/Bounded.hpp"
#include "../Manager/DeviceNodes.hpp"
#include "Device.hpp"

namespace platen {
namespace {

using namespace std::chrono_literals;

constexpr auto stop_limit = 10s;

// The limit is the time for libcamera to detect that a USB camera whose node is gone was unplugged.
// It is also the time for a camera to show that another one is gone instead.
constexpr auto disconnect_limit = 500ms;
constexpr auto disconnect_step = 10ms;

constexpr const char *gone_cause =
    "it went away, and libcamera cannot let it go; the process has to be started anew";
constexpr const char *hanging_cause =
    "it hangs, and libcamera cannot let it go; the process has to be started anew";

/// Keeps objects that libcamera may still use after a camera was lost, until the process ends.
///
/// Freeing a request or a buffer that is still queued crashes.
void keep_for_ever(std::any things) {
  static std::mutex mutex;
  static auto *kept = new std::vector<std::any>;
  std::lock_guard lock(mutex);
  kept->push_back(std::move(things));
}

}  // namespace

void Device::require_usable() const {
  if (!camera_)
    throw Failure{-EBADF, "it has been closed"};
  if (state_ == State::disconnected)
    throw Failure{-ENODEV, "it has been disconnected"};
  if (state_ == State::gone)
    throw Failure{-ESHUTDOWN, gone_cause};
  if (state_ == State::hanging)
    throw Failure{-ENOTRECOVERABLE, hanging_cause};
}

void Device::stop() {
  std::lock_guard lock(control_mutex_);
  if (camera_)
    stop_stream();
}

bool Device::is_gone_unnoticed(const RunningStream &running) const {
  const NodeLoss loss = look_for_lost_nodes(camera_.get());
  if (loss == NodeLoss::none)
    return false;
  // Either libcamera reports it in a moment, or a frame shows that another camera's node is gone.
  const auto start = std::chrono::steady_clock::now();
  for (auto now = start; now < start + disconnect_limit; now = std::chrono::steady_clock::now()) {
    if (state_ != State::usable)
      return false;
    if (loss == NodeLoss::of_some_camera &&
        std::chrono::nanoseconds(running.silence_ns()) < now - start)
      return false;
    std::this_thread::sleep_for(disconnect_step);
  }
  return state_ == State::usable;
}

void Device::stop_stream() {
  auto running = stream();
  if (!running)
    return;
  auto lose = [&](State state, int error, const char *cause) {
    running->end_queueing();
    state_ = state;
    set_stream(nullptr);
    keep_for_ever(std::make_tuple(running, camera_, stock_, raw_stock_, preview_stock_));
    throw Failure{error, cause};
  };
  if (state_ == State::usable && is_gone_unnoticed(*running)) {
    tell_disconnected();
    lose(State::gone, -ENODEV, gone_cause);
  }
  running->end_queueing();
  const auto result = run_bounded(stop_limit, [camera = camera_] { return camera->stop(); });
  if (!result)
    lose(State::hanging, -ETIMEDOUT, hanging_cause);
  set_stream(nullptr);
  if (state_ == State::disconnected) {
    // libcamera does not return the requests of an unplugged camera.
    keep_for_ever(std::make_tuple(running, stock_, raw_stock_, preview_stock_));
    keeps_buffers_ = true;
    stock_ = std::make_shared<BufferStock>(camera_->id());
    raw_stock_ = std::make_shared<BufferStock>(camera_->id());
    preview_stock_ = std::make_shared<BufferStock>(camera_->id());
  } else {
    running->finish();
  }
  events_->clear([](const platen_camera_event &event) {
    return event.kind == PLATEN_CAMERA_DISCONNECTED;
  });
  if (*result)
    throw Failure{*result, "libcamera cannot stop it: " + describe(*result)};
}

void Device::camera_disconnected() {
  state_ = State::disconnected;
  if (auto running = stream())
    running->cease();
  tell_disconnected();
}

void Device::tell_disconnected() {
  if (has_told_disconnected_.exchange(true))
    return;
  platen_camera_event event = {};
  event.kind = PLATEN_CAMERA_DISCONNECTED;
  events_->push(event);
}

}  // namespace platen
