// The memory of an acquired camera's frames, processed and raw, and of their previews.
#include <algorithm>
#include <cerrno>
#include <mutex>
#include <vector>

#include "../Entry/Failure.hpp"
#include "Device.hpp"
#include "RawChoice.hpp"

namespace platen {

const platen_camera_raw &Device::raw() {
  static const platen_camera_raw none = {};
  if (!raw_ && !stream()) {
    const std::vector<libcamera::StreamRole> roles = {libcamera::StreamRole::StillCapture};
    const auto chosen = camera_->generateConfiguration(roles);
    const auto configuration =
        chosen && !chosen->empty() ? with_raw_stream(*camera_, nullptr, *chosen, fewest_buffers)
                                   : nullptr;
    raw_ = configuration ? raw_layout_of(configuration->at(1)).value_or(none) : none;
  }
  return raw_ ? *raw_ : none;
}

std::vector<std::shared_ptr<FrameMemory>> Device::fill_buffers(
    libcamera::Stream *stream, libcamera::Stream *raw_stream, uint32_t wanted) {
  stock_->separate();
  if (!raw_stream) {
    raw_stock_->clear();
    auto plain = stock_->fill(camera_, stream, wanted, fewest_buffers);
    // A lease may have ended meanwhile, so that its memory is used again.
    for (const auto &memory : plain)
      memory->set_raw(nullptr);
    return plain;
  }
  auto buffers = stock_->fill(camera_, stream, wanted, fewest_buffers);
  auto raws = raw_stock_->fill(camera_, raw_stream, buffers.size(), 1);
  if (raws.size() < buffers.size()) {
    // Both share the memory, so what there is makes fewer frames of both.
    const size_t size = stream->configuration().frameSize;
    const size_t raw_size = raw_stream->configuration().frameSize;
    const size_t frames = (buffers.size() * size + raws.size() * raw_size) / (size + raw_size);
    buffers.clear();
    raws.clear();
    buffers = stock_->fill(camera_, stream, std::max<size_t>(frames, fewest_buffers),
                           fewest_buffers);
    raws = raw_stock_->fill(camera_, raw_stream, buffers.size(), fewest_buffers);
    buffers.resize(std::min(buffers.size(), raws.size()));
  }
  // Raw frames must not cost the frames that a press needs.
  if (buffers.size() < fewest_with_raw)
    throw Failure{-ENOMEM, "there is no memory for raw frames"};
  for (size_t index = 0; index < buffers.size(); index++)
    buffers[index]->set_raw(raws[index]);
  return buffers;
}

void Device::fill_previews(const std::vector<std::shared_ptr<FrameMemory>> &buffers,
                           libcamera::Stream *preview_stream, uint32_t wanted) {
  std::vector<std::shared_ptr<FrameMemory>> previews(buffers.size());
  if (!preview_stream)
    preview_stock_->clear();
  else if (buffers.size() < wanted)
    throw Failure{-ENOMEM, "there is no memory for previews"};
  else
    previews = preview_stock_->fill(camera_, preview_stream, buffers.size(), buffers.size());
  for (size_t index = 0; index < buffers.size(); index++)
    buffers[index]->set_preview(previews[index]);
}

void Device::give_memory_back() {
  const std::unique_lock lock(control_mutex_, std::try_to_lock);
  if (!lock || !camera_ || state_ != State::usable || stream())
    return;
  stock_->clear();
  raw_stock_->clear();
  preview_stock_->clear();
  // A driver keeps its internal buffers until the next configure().
  if (configuration_)
    camera_->configure(configuration_.get());
}

}  // namespace platen
