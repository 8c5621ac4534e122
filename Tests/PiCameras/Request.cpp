// libcamera's Request, FrameBuffer and FrameBufferAllocator, as their callers know them.
#include "Request.hpp"

#include <libcamera/control_ids.h>
#include <libcamera/framebuffer_allocator.h>

#include <sstream>

namespace libcamera {

Request::Private::Private(Camera *of) : camera(of) {}
Request::Private::~Private() = default;

void Request::Private::complete(Request &request, Status status, FrameMetadata::Status frame) {
  request.status_ = status;
  for (auto &[stream, buffer] : request.bufferMap_) {
    auto *own = static_cast<FrameBuffer::Private *>(buffer->_d());
    own->metadata.status = frame;
  }
}

Request::Request(Camera *camera, uint64_t cookie)
    : Extensible(std::make_unique<Private>(camera)),
      controls_(new ControlList(controls::controls)),
      metadata_(new ControlList(controls::controls)),
      cookie_(cookie),
      status_(RequestPending) {}

Request::~Request() {
  delete metadata_;
  delete controls_;
}

void Request::reuse(ReuseFlag flags) {
  if (!(flags & ReuseBuffers))
    bufferMap_.clear();
  status_ = RequestPending;
  controls_->clear();
  metadata_->clear();
}

int Request::addBuffer(const Stream *stream, FrameBuffer *buffer, std::unique_ptr<Fence>) {
  if (!stream)
    return -EINVAL;
  if (bufferMap_.contains(stream))
    return -EEXIST;
  bufferMap_[stream] = buffer;
  return 0;
}

FrameBuffer *Request::findBuffer(const Stream *stream) const {
  const auto found = bufferMap_.find(stream);
  return found == bufferMap_.end() ? nullptr : found->second;
}

uint32_t Request::sequence() const { return _d()->sequence; }

bool Request::hasPendingBuffers() const { return status_ == RequestPending && !bufferMap_.empty(); }

std::string Request::toString() const {
  std::ostringstream text;
  text << "Request(" << cookie_ << ")";
  return text.str();
}

FrameBuffer::Private::Private(std::vector<FrameBuffer::Plane> of, uint64_t number)
    : planes(std::move(of)), cookie(number) {
  metadata.planes_.resize(planes.size());
}

FrameBuffer::Private::~Private() = default;

FrameBuffer::FrameBuffer(std::unique_ptr<Private> d) : Extensible(std::move(d)) {}

FrameBuffer::FrameBuffer(const std::vector<Plane> &planes, unsigned int cookie)
    : FrameBuffer(std::make_unique<Private>(planes, cookie)) {}
const std::vector<FrameBuffer::Plane> &FrameBuffer::planes() const { return _d()->planes; }

Request *FrameBuffer::request() const { return nullptr; }
const FrameMetadata &FrameBuffer::metadata() const { return _d()->metadata; }
uint64_t FrameBuffer::cookie() const { return _d()->cookie; }
void FrameBuffer::setCookie(uint64_t cookie) { _d()->cookie = cookie; }
std::unique_ptr<Fence> FrameBuffer::releaseFence() { return nullptr; }

FrameBufferAllocator::FrameBufferAllocator(std::shared_ptr<Camera> camera) : camera_(std::move(camera)) {}
FrameBufferAllocator::~FrameBufferAllocator() = default;

int FrameBufferAllocator::allocate(Stream *stream) {
  if (buffers_.contains(stream))
    return -EBUSY;
  const int count = camera_->exportFrameBuffers(stream, &buffers_[stream]);
  if (count < 0)
    buffers_.erase(stream);
  return count;
}

int FrameBufferAllocator::free(Stream *stream) { return buffers_.erase(stream) ? 0 : -EINVAL; }

const std::vector<std::unique_ptr<FrameBuffer>> &FrameBufferAllocator::buffers(Stream *stream) const {
  static const std::vector<std::unique_ptr<FrameBuffer>> none;
  const auto found = buffers_.find(stream);
  return found == buffers_.end() ? none : found->second;
}

}  // namespace libcamera
