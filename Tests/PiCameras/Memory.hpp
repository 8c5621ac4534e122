// Contiguous memory, as much as the board has set aside (CMA).
#pragma once

#include <cstdint>

namespace picameras {

/// Makes a buffer, which counts until its last descriptor is closed; returns it or -errno.
int make_buffer(uint64_t size, bool is_contiguous);

/// Takes memory without a descriptor; returns false if there is too little.
bool take(uint64_t size);
void give_back(uint64_t size);

}  // namespace picameras
