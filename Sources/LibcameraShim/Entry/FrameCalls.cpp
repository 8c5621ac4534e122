// The functions of platen_camera_frame.h.
#include "../Stream/Device.hpp"
#include "Handles.hpp"
#include "platen_camera_frame.h"

using platen::frame_leases;
using platen::guarded;

namespace {

/// Begins to read an image beside a leased frame; null without one.
int begin_read(const platen::FrameMemory *memory, const void **bytes, uint64_t *count) {
  *bytes = nullptr;
  *count = 0;
  if (!memory)
    return -ENOENT;
  if (const int error = memory->begin_read())
    return error;
  *bytes = memory->bytes();
  *count = memory->size();
  return 0;
}

int end_read(const platen::FrameMemory *memory) { return memory ? memory->end_read() : -ENOENT; }

}  // namespace

// Never freed: handles may be used until the process ends.
platen::HandleTable<platen::FrameLease> &platen::frame_leases() {
  static auto *table = new HandleTable<FrameLease>;
  return *table;
}

extern "C" int platen_camera_lease(
    platen_camera camera, uint64_t frame_id, platen_camera_frame *frame,
    platen_camera_frame_info *info, platen_camera_frame_memory *memory) {
  return guarded([&] {
    *frame = 0;
    platen::FrameRing::Frame found = {};
    auto lease = platen::devices().find(camera)->lease(frame_id, found);
    *info = found.info;
    *memory = {};
    memory->descriptor = found.memory->descriptor();
    memory->offset = found.memory->offset();
    memory->byte_count = found.byte_count;
    memory->raw_descriptor = memory->preview_descriptor = -1;
    if (const auto *raw = lease->raw()) {
      memory->raw_descriptor = raw->descriptor();
      memory->raw_offset = raw->offset();
      memory->raw_byte_count = raw->size();
    }
    if (const auto *preview = lease->preview()) {
      memory->preview_descriptor = preview->descriptor();
      memory->preview_offset = preview->offset();
      memory->preview_byte_count = preview->size();
    }
    *frame = frame_leases().insert(std::move(lease));
    return 0;
  });
}

extern "C" int platen_camera_frame_begin_read(
    platen_camera_frame frame, const void **bytes, uint64_t *count) {
  return guarded([&] {
    auto lease = frame_leases().find(frame);
    *bytes = nullptr;
    *count = 0;
    if (const int error = lease->memory().begin_read())
      return error;
    *bytes = lease->memory().bytes();
    *count = lease->byte_count();
    return 0;
  });
}

extern "C" int platen_camera_frame_end_read(platen_camera_frame frame) {
  return guarded([&] { return frame_leases().find(frame)->memory().end_read(); });
}

extern "C" int platen_camera_frame_begin_raw_read(
    platen_camera_frame frame, const void **bytes, uint64_t *count) {
  return guarded([&] {
    auto lease = frame_leases().find(frame);
    return begin_read(lease->raw(), bytes, count);
  });
}

extern "C" int platen_camera_frame_end_raw_read(platen_camera_frame frame) {
  return guarded([&] {
    auto lease = frame_leases().find(frame);
    return end_read(lease->raw());
  });
}

extern "C" int platen_camera_frame_begin_preview_read(
    platen_camera_frame frame, const void **bytes, uint64_t *count) {
  return guarded([&] {
    auto lease = frame_leases().find(frame);
    return begin_read(lease->preview(), bytes, count);
  });
}

extern "C" int platen_camera_frame_end_preview_read(platen_camera_frame frame) {
  return guarded([&] {
    auto lease = frame_leases().find(frame);
    return end_read(lease->preview());
  });
}

extern "C" void platen_camera_frame_release(platen_camera_frame frame) {
  static_cast<void>(guarded([&] {
    frame_leases().remove(frame);
    return 0;
  }));
}
