// The kind of memory that suits a camera's driver.
#pragma once

#include <string_view>

namespace platen {

/// The kind of memory that a camera's frames are in.
enum class MemorySource {
  driver,           // the driver's own buffers
  any_heap,         // memory of a dma-buf heap, in pieces or not
  contiguous_heap,  // contiguous memory of a dma-buf heap
};

/// Returns the kind of memory that suits the driver of the camera with an ID of libcamera.
MemorySource memory_source_of(std::string_view camera_id);

}  // namespace platen
