// The only receiver that stays connected to a camera's signals.
#pragma once

#include <libcamera/camera.h>

#include <memory>
#include <mutex>

namespace platen {

/// The signals of an acquired camera, received on libcamera's thread.
class SignalReceiver {
 public:
  virtual ~SignalReceiver() = default;
  virtual void request_completed(libcamera::Request *request) = 0;
  virtual void camera_disconnected() = 0;
};

/// Passes a camera's signals to its current holder.
///
/// The sink is connected once to each camera and never disconnected, because libcamera's Signal
/// must not lose a slot while another thread emits. The sink lives as long as the manager does.
class SignalSink {
 public:
  explicit SignalSink(const std::shared_ptr<libcamera::Camera> &camera) : camera_(camera) {
    camera->requestCompleted.connect(this, &SignalSink::request_completed);
    camera->disconnected.connect(this, &SignalSink::camera_disconnected);
  }

  bool is_for(const std::shared_ptr<libcamera::Camera> &camera) const {
    return camera_.lock() == camera;
  }

  void attach(std::weak_ptr<SignalReceiver> receiver) {
    std::lock_guard lock(mutex_);
    receiver_ = std::move(receiver);
  }

  void detach() { attach({}); }

 private:
  void request_completed(libcamera::Request *request) {
    if (auto receiver = current())
      receiver->request_completed(request);
  }

  void camera_disconnected() {
    if (auto receiver = current())
      receiver->camera_disconnected();
  }

  std::shared_ptr<SignalReceiver> current() {
    std::lock_guard lock(mutex_);
    return receiver_.lock();
  }

  const std::weak_ptr<libcamera::Camera> camera_;
  std::mutex mutex_;
  std::weak_ptr<SignalReceiver> receiver_;
};

}  // namespace platen
