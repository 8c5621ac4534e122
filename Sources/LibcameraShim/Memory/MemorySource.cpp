#include "MemorySource.hpp"

#include <algorithm>
#include <iterator>

namespace platen {
namespace {

/// Returns whether an ID is one of libcamera's uvcvideo handler.
///
/// The form is CONTROLLER-PORTS:CONFIGURATION.INTERFACE-DEVICE (UVCCameraData::generateId() in
/// src/libcamera/pipeline/uvcvideo/uvcvideo.cpp).
bool is_of_uvcvideo(std::string_view id) {
  const size_t device = id.rfind('-');
  if (device == id.npos || device == 0)
    return false;
  const size_t controller = id.rfind('-', device - 1);
  if (controller == id.npos)
    return false;
  const auto ports = id.substr(controller + 1, device - controller - 1);
  return ports.find(':') != ports.npos &&
         ports.find_first_not_of("0123456789.:") == ports.npos;
}

bool is_of_vimc(std::string_view id) { return id.starts_with("platform/vimc."); }

/// Returns whether an ID is a path in a device tree, as MIPI cameras have it.
bool is_in_device_tree(std::string_view id) { return id.starts_with("/base/"); }

bool is_any(std::string_view) { return true; }

struct Rule {
  bool (*holds)(std::string_view camera_id);
  MemorySource source;
};

// The first rule that holds decides.
constexpr Rule rules[] = {
    // These drivers have buffers of the kernel's vmalloc memory (vb2_vmalloc_memops), which is
    // cached and stays mapped. They would map a heap's memory into the kernel each time that a
    // buffer is queued, and unmap it when it is dequeued (vb2_vmalloc_map_dmabuf() in
    // drivers/media/common/videobuf2/videobuf2-vmalloc.c): 1,519 pages for an RGB frame of 1080p.
    {is_of_uvcvideo, MemorySource::driver},
    {is_of_vimc, MemorySource::driver},
    // A Raspberry Pi's drivers have buffers of uncached memory (vb2_dma_contig_memops), which the
    // processor reads ten times slower than a heap's. The device reads and writes them by their
    // addresses, so nothing is mapped for a frame. They must be contiguous without an IOMMU.
    {is_in_device_tree, MemorySource::contiguous_heap},
    // MIPI cameras of a PC have an IOMMU. libcamera's virtual camera has no memory of its own.
    {is_any, MemorySource::any_heap},
};

}  // namespace

MemorySource memory_source_of(std::string_view camera_id) {
  return std::find_if(std::begin(rules), std::end(rules), [&](const Rule &rule) {
           return rule.holds(camera_id);
         })->source;
}

}  // namespace platen
