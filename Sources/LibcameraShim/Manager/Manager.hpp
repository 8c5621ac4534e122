// The camera manager of the process.
#pragma once

#include <libcamera/camera_manager.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "SignalSink.hpp"
#include "platen_cameras.h"

namespace platen {

class Device;

/// libcamera's CameraManager, which may exist once in a process, with the shim's additions.
class Manager {
 public:
  /// Opens the manager; throws EBUSY when the process already has one.
  static std::shared_ptr<Manager> open();

  ~Manager();

  /// Stops libcamera; throws when a camera is acquired or was lost.
  void close();

  std::vector<platen_cameras_description> list();

  /// A camera that has been acquired from libcamera, and the receiver of its signals.
  struct Acquired {
    std::shared_ptr<libcamera::Camera> camera;
    SignalSink *sink;
  };

  Acquired acquire(const std::string &id);

  /// Notes a device until it is gone.
  void add(const std::shared_ptr<Device> &device);

  /// Makes all other devices that do not stream free their memory.
  ///
  /// A device tree's cameras share one area.
  void free_memory_for(const Device &device);

  /// Ends an acquire(); the camera has been released from libcamera.
  void release();

  /// Ends an acquire() of a camera that libcamera must not stop any more.
  ///
  /// From then on every call is refused with the error.
  void abandon(int error);

 private:
  Manager() = default;
  void start_libcamera();
  void stop_libcamera();
  void look_again_if_idle();
  void require_usable() const;
  SignalSink *sink_for(const std::shared_ptr<libcamera::Camera> &camera);

  mutable std::mutex mutex_;
  std::unique_ptr<libcamera::CameraManager> libcamera_;
  std::vector<std::unique_ptr<SignalSink>> sinks_;
  std::vector<std::weak_ptr<Device>> devices_;
  size_t acquired_ = 0;
  int abandoned_ = 0;  // the error of the camera that was lost first
};

}  // namespace platen
