// Cameras like those of a Raspberry Pi, in libcamera's place.
//
// A program that loads this library before libcamera (LD_PRELOAD) gets these classes of libcamera's
// public interface from it: CameraManager, Camera, Request, FrameBuffer and FrameBufferAllocator.
// All other parts stay libcamera's. PI_CAMERAS names the cameras, separated by spaces:
// "vc4/imx219", "pisp/imx708", "uvc/webcam", or "vc4/ov5647/90" for a sensor that is mounted turned
// by 90 degrees, "vc4/ov5647/180/noflips" for one that cannot turn its picture, and
// "vc4/imx219/180/stiff" for one whose exposure cannot be set, and "vc4/imx219/180/wide" for one whose
// second output lengthens the rows of the first one.
// PI_CAMERAS_MEMORY is the contiguous memory in MiB that all cameras share; without it there is no
// limit.
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

/// The inside of one of libcamera's cameras.
class libcamera::Camera::Private : public libcamera::Extensible::Private {
 public:
  explicit Private(std::unique_ptr<picameras::Pipeline> kind);
  ~Private() override;

  const ControlInfoMap &controls() const { return listed_; }
  const ControlList &properties() const { return properties_; }

  int configure(CameraConfiguration &wanted);
  /// Begins to answer requests; returns -ENOMEM if there is too little memory.
  int start(Camera *camera, const ControlList *controls);
  void stop(Camera *camera);
  /// Releases the memory that start() took and stop() keeps.
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
  /// The controls of the newest frames, the oldest first, until the sensor has them.
  std::deque<ControlList> landing_;
  std::thread sensor_;
  bool is_running_ = false;
  bool has_memory_ = false;
  uint64_t internal_memory_ = 0;
};
