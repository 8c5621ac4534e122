// libcamera's Camera: its life, and a thread that is the sensor.
#include "Cameras.hpp"

#include <libcamera/control_ids.h>
#include <libcamera/version.h>
#include <unistd.h>

#include <chrono>

#include "Memory.hpp"
#include "Request.hpp"

namespace {

libcamera::ControlList no_controls() { return libcamera::ControlList(libcamera::controls::controls); }

}  // namespace

namespace libcamera {

Camera::Private::Private(std::unique_ptr<picameras::Pipeline> kind)
    : pipeline(std::move(kind)), listed_(pipeline->controls()), properties_(pipeline->properties()) {}

Camera::Private::~Private() = default;

int Camera::Private::configure(CameraConfiguration &wanted) {
  for (StreamConfiguration &stream : wanted)
    stream.setStream(nullptr);
  if (wanted.validate() != CameraConfiguration::Valid)
    return -EINVAL;
  size_t index = 0;
  configured.clear();
  for (StreamConfiguration &stream : wanted) {
    stream.setStream(&streams[index++]);
    configured.push_back(stream.stream());
  }
  const int error = pipeline->configure(wanted);
  if (error)
    return error;
  release();
  internal_memory_ = pipeline->internal_memory(wanted);
  listed_ = pipeline->controls();
  properties_ = pipeline->properties();
  return 0;
}

int Camera::Private::start(Camera *camera, const ControlList *with) {
  if (is_running_)
    return -EACCES;
  if (!has_memory_ && !picameras::take(internal_memory_))
    return -ENOMEM;
  has_memory_ = true;
  set_ = with ? *with : no_controls();
  landing_.clear();
  is_running_ = true;
  sensor_ = std::thread([this, camera] { run(camera); });
  return 0;
}

void Camera::Private::release() {
  if (std::exchange(has_memory_, false))
    picameras::give_back(internal_memory_);
}

void Camera::Private::stop(Camera *camera) {
  {
    std::lock_guard lock(mutex_);
    if (!is_running_)
      return;
    is_running_ = false;
  }
  changed_.notify_all();
  sensor_.join();
  for (Request *request : std::exchange(queued_, {})) {
    Request::Private::complete(*request, Request::RequestCancelled, FrameMetadata::FrameCancelled);
    camera->requestComplete(request);
  }
}

int Camera::Private::queue(Request *request) {
  std::lock_guard lock(mutex_);
  if (!is_running_)
    return -EACCES;
  queued_.push_back(request);
  return 0;
}

void Camera::Private::run(Camera *camera) {
  using namespace std::chrono;
  unsigned int sequence = 0;
  unsigned int number = 0;
  auto end_of_frame = steady_clock::now();
  std::unique_lock lock(mutex_);
  while (is_running_) {
    landing_.push_back(set_);
    while (landing_.size() > pipeline->control_delay())
      landing_.pop_front();
    const picameras::Exposure exposure = pipeline->exposure(landing_.front());
    end_of_frame += microseconds(exposure.duration_us);
    changed_.wait_until(lock, end_of_frame, [this] { return !is_running_; });
    sequence++;
    if (!is_running_ || queued_.empty())
      continue;
    Request *request = queued_.front();
    queued_.pop_front();
    for (const auto &[id, value] : request->controls())
      set_.set(id, value);
    // The sensor keeps its rhythm, however late a busy machine runs this thread. Linux has the
    // monotonic clock as the steady one.
    const int64_t timestamp = duration_cast<nanoseconds>(end_of_frame.time_since_epoch()).count();
    number++;
    pipeline->describe(exposure, {sequence, number, timestamp}, set_, request->metadata());
    for (const auto &[stream, buffer] : request->buffers()) {
      const auto contents = pipeline->contents(stream->configuration(), sequence);
      const bool is_written = !contents.empty() && ::pwrite(buffer->planes()[0].fd.get(), contents.data(), contents.size(), 0) > 0;
      buffer->_d()->note(sequence, timestamp, is_written && pipeline->is_jpeg()
                                                  ? static_cast<unsigned int>(contents.size())
                                                  : stream->configuration().frameSize);
    }
    lock.unlock();
    // The buffer has the error, and the request succeeds all the same.
    Request::Private::complete(*request, Request::RequestComplete,
                               number > pipeline->invalid_frames() ? FrameMetadata::FrameSuccess
                                                                   : FrameMetadata::FrameError);
    camera->requestComplete(request);
    lock.lock();
  }
}

Camera::Camera(std::unique_ptr<Private> d, const std::string &, const std::set<Stream *> &)
    : Extensible(std::move(d)) {}

Camera::~Camera() = default;

std::shared_ptr<Camera> Camera::create(std::unique_ptr<Private> d, const std::string &id,
                                       const std::set<Stream *> &streams) {
  return std::shared_ptr<Camera>(new Camera(std::move(d), id, streams),
                                 [](Camera *camera) { delete camera; });
}

const std::string &Camera::id() const { return _d()->id; }

int Camera::acquire() {
  if (_d()->is_acquired)
    return -EBUSY;
  _d()->is_acquired = true;
  return 0;
}

int Camera::release() {
  _d()->release();
  _d()->is_acquired = false;
  return 0;
}

const ControlInfoMap &Camera::controls() const { return _d()->controls(); }
const ControlList &Camera::properties() const { return _d()->properties(); }
const std::set<Stream *> &Camera::streams() const {
  static const std::set<Stream *> none;
  return none;
}

#if LIBCAMERA_VERSION_MINOR >= 1
std::unique_ptr<CameraConfiguration> Camera::generateConfiguration(Span<const StreamRole> roles) {
#else
std::unique_ptr<CameraConfiguration> Camera::generateConfiguration(const StreamRoles &roles) {
#endif
  return _d()->pipeline->generate({roles.begin(), roles.end()});
}

int Camera::configure(CameraConfiguration *config) {
  const int error = _d()->configure(*config);
  for (size_t index = 0; !error && index < config->size(); index++)
    _d()->configured[index]->configuration_ = config->at(static_cast<unsigned int>(index));
  return error;
}

std::unique_ptr<Request> Camera::createRequest(uint64_t cookie) {
  return std::make_unique<Request>(this, cookie);
}

int Camera::queueRequest(Request *request) {
  return request->buffers().empty() ? -EINVAL : _d()->queue(request);
}

int Camera::start(const ControlList *controls) { return _d()->start(this, controls); }

int Camera::stop() {
  _d()->stop(this);
  return 0;
}

void Camera::disconnect() { disconnected.emit(); }
void Camera::requestComplete(Request *request) { requestCompleted.emit(request); }

int Camera::exportFrameBuffers(Stream *stream, std::vector<std::unique_ptr<FrameBuffer>> *buffers) {
  const StreamConfiguration &configuration = stream->configuration();
  for (unsigned int index = 0; index < configuration.bufferCount; index++) {
    int descriptor =
        picameras::make_buffer(configuration.frameSize, _d()->pipeline->needs_contiguous_memory());
    if (descriptor < 0) {
      buffers->clear();
      return descriptor;
    }
    FrameBuffer::Plane plane;
    plane.fd = SharedFD(std::move(descriptor));
    plane.offset = 0;
    plane.length = configuration.frameSize;
    buffers->push_back(std::make_unique<FrameBuffer>(std::vector<FrameBuffer::Plane>{plane}));
  }
  return static_cast<int>(buffers->size());
}

void FrameBuffer::Private::note(unsigned int sequence, int64_t timestamp_ns, unsigned int used) {
  metadata.sequence = sequence;
  metadata.timestamp = static_cast<uint64_t>(timestamp_ns);
  for (size_t plane = 0; plane < planes.size(); plane++)
    metadata.planes()[plane].bytesused = plane == 0 && planes.size() == 1 ? used : planes[plane].length;
}

}  // namespace libcamera
