#include "FrameRing.hpp"

#include <algorithm>

namespace platen {

FrameRing::FrameRing(std::vector<std::shared_ptr<FrameMemory>> buffers)
    : free_(std::move(buffers)) {
  // No memory is allocated while frames come.
  frames_.reserve(free_.size());
}

std::shared_ptr<FrameMemory> FrameRing::take(size_t kept) {
  if (!free_.empty()) {
    auto memory = std::move(free_.back());
    free_.pop_back();
    return memory;
  }
  auto is_unleased = [](const Frame &frame) { return frame.leases == 0; };
  const auto unleased = std::count_if(frames_.begin(), frames_.end(), is_unleased);
  if (static_cast<size_t>(unleased) <= kept)
    return nullptr;
  auto oldest = std::find_if(frames_.begin(), frames_.end(), is_unleased);
  auto memory = std::move(oldest->memory);
  frames_.erase(oldest);
  return memory;
}

void FrameRing::put_back(std::shared_ptr<FrameMemory> memory) {
  free_.push_back(std::move(memory));
}

void FrameRing::hold(const platen_camera_frame_info &info, uint32_t byte_count,
                     std::shared_ptr<FrameMemory> memory, bool has_raw, bool has_preview) {
  frames_.push_back({info, byte_count, std::move(memory), has_raw, has_preview, 0});
}

std::vector<FrameRing::Frame>::iterator FrameRing::find(uint64_t id) {
  return std::find_if(frames_.begin(), frames_.end(),
                      [id](const Frame &frame) { return frame.info.id == id; });
}

const FrameRing::Frame *FrameRing::lease(uint64_t id) {
  auto found = find(id);
  if (found == frames_.end())
    return nullptr;
  found->leases += 1;
  return &*found;
}

void FrameRing::end_lease(uint64_t id) {
  auto found = find(id);
  if (found != frames_.end() && found->leases > 0)
    found->leases -= 1;
}

void FrameRing::clear() {
  free_.clear();
  frames_.clear();
}

}  // namespace platen
