// Cameras as a Raspberry Pi has them, in libcamera's place.
//
// A program that loads this library before libcamera (LD_PRELOAD) meets these classes of libcamera's
// public interface instead of the library's own: CameraManager, Camera, Request, FrameBuffer and
// FrameBufferAllocator; everything else stays libcamera's. PI_CAMERAS names the cameras, separated by
// spaces: "vc4/imx219", "pisp/imx708", "uvc/webcam", "vc4/ov5647/90" for a sensor that is mounted
// turned by 90 degrees. PI_CAMERAS_MEMORY is the memory that all share
// that need it in one piece, in MiB; without it there is as much as is asked for.
#pragma once

#include <libcamera/camera.h>

#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "Pipeline.hpp"

namespace picameras {

/// The cameras that the environment names, each by its pipeline.
std::vector<std::unique_ptr<Pipeline>> pipelines();

}  // namespace picameras

/// The inside of a camera of libcamera's.
class libcamera::Camera::Private : public libcamera::Extensible::Private {
 public:
  explicit Private(std::unique_ptr<picameras::Pipeline> kind);
  ~Private() override;

  const ControlInfoMap &controls() const { return listed_; }
  const ControlList &properties() const { return properties_; }

  int configure(CameraConfiguration &wanted);
  /// Begins to answer requests; -ENOMEM when there is no memory for that.
  int start(Camera *camera, const ControlList *controls);
  void stop(Camera *camera);
  /// Gives back what start() took, which stop() keeps.
  void release();
  int queue(Request *request);

  const std::unique_ptr<picameras::Pipeline> pipeline;
  const std::string id = pipeline->id();
  std::array<Stream, 3> streams;
  std::vector<Stream *> configured;
  bool is_acquired = false;

 private:
  void run(Camera *camera);

  ControlInfoMap listed_;
  ControlList properties_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request *> queued_;
  ControlList set_;
  std::thread sensor_;
  bool is_running_ = false;
  bool has_memory_ = false;
  uint64_t internal_memory_ = 0;
};
