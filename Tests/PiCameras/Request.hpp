// The insides of libcamera's requests and buffers.
#pragma once

#include <libcamera/camera.h>
#include <libcamera/framebuffer.h>
#include <libcamera/request.h>

#include <vector>

class libcamera::Request::Private : public libcamera::Extensible::Private {
 public:
  explicit Private(Camera *of);
  ~Private() override;

  /// Ends a request, with its buffers; `frame` is the status of their frame.
  static void complete(Request &request, Status status, FrameMetadata::Status frame);

  Camera *const camera;
  uint32_t sequence = 0;
};

class libcamera::FrameBuffer::Private : public libcamera::Extensible::Private {
 public:
  Private(std::vector<FrameBuffer::Plane> of, uint64_t number);
  ~Private() override;

  /// Notes the driver's data of the buffer.
  void note(unsigned int sequence, int64_t timestamp_ns, unsigned int used);

  std::vector<FrameBuffer::Plane> planes;
  uint64_t cookie;
  FrameMetadata metadata;
};
