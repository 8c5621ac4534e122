// Memory in one piece, of which there is as much as the board has set aside (CMA).
#pragma once

#include <cstdint>

namespace picameras {

/// Makes a buffer; a descriptor, or a negative errno. It counts until its last descriptor is closed.
int make_buffer(uint64_t size, bool is_contiguous);

/// Takes memory that no descriptor stands for; false when there is too little.
bool take(uint64_t size);
void give_back(uint64_t size);

}  // namespace picameras
