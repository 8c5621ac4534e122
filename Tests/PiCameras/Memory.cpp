#include "Memory.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

namespace picameras {
namespace {

constexpr std::string_view heaps = "/dev/dma_heap/";
constexpr std::string_view heap_of_the_pi = "/dev/dma_heap/linux,cma";
constexpr uint64_t mebibyte = 1 << 20;
constexpr int most_descriptors = 1024;

std::mutex mutex;
std::map<ino_t, uint64_t> buffers;  // in one piece, by inode
uint64_t taken = 0;
std::set<ino_t> opened_heaps;  // by inode

uint64_t in_all() {
  const char *text = std::getenv("PI_CAMERAS_MEMORY");
  return text ? std::strtoull(text, nullptr, 10) * mebibyte : std::numeric_limits<uint64_t>::max();
}

/// Returns the bytes in use; buffers without an open descriptor are forgotten.
uint64_t in_use() {
  std::map<ino_t, uint64_t> open;
  for (int descriptor = 0; descriptor < most_descriptors; descriptor++) {
    struct stat status;
    if (::fstat(descriptor, &status) == 0 && buffers.contains(status.st_ino))
      open[status.st_ino] = buffers[status.st_ino];
  }
  buffers = open;
  uint64_t sum = taken;
  for (const auto &[inode, size] : buffers)
    sum += size;
  return sum;
}

int make_file(uint64_t size) {
  const int descriptor = ::memfd_create("camera", MFD_CLOEXEC);
  if (descriptor < 0)
    return -errno;
  if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
    ::close(descriptor);
    return -ENOMEM;
  }
  return descriptor;
}

ino_t inode_of(int descriptor) {
  struct stat status = {};
  ::fstat(descriptor, &status);
  return status.st_ino;
}

}  // namespace

int make_buffer(uint64_t size, bool is_contiguous) {
  std::lock_guard lock(mutex);
  if (is_contiguous && in_use() + size > in_all())
    return -ENOMEM;
  const int descriptor = make_file(size);
  if (descriptor >= 0 && is_contiguous)
    buffers[inode_of(descriptor)] = size;
  return descriptor;
}

bool take(uint64_t size) {
  std::lock_guard lock(mutex);
  if (in_use() + size > in_all())
    return false;
  taken += size;
  return true;
}

void give_back(uint64_t size) {
  std::lock_guard lock(mutex);
  taken -= size;
}

bool is_heap(int descriptor) {
  std::lock_guard lock(mutex);
  return opened_heaps.contains(inode_of(descriptor));
}

/// Opens a heap that a Raspberry Pi has.
int open_heap(const char *path) {
  if (path != heap_of_the_pi) {
    errno = ENOENT;
    return -1;
  }
  const int descriptor = make_file(0);
  std::lock_guard lock(mutex);
  opened_heaps.insert(inode_of(descriptor));
  return descriptor;
}

}  // namespace picameras

extern "C" {

int open(const char *path, int flags, ...) {
  if (std::string_view(path).starts_with(picameras::heaps))
    return picameras::open_heap(path);
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  static const auto next = reinterpret_cast<int (*)(const char *, int, ...)>(::dlsym(RTLD_NEXT, "open"));
  return next(path, flags, mode);
}

int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (request == DMA_HEAP_IOCTL_ALLOC && picameras::is_heap(descriptor)) {
    auto *wanted = static_cast<dma_heap_allocation_data *>(argument);
    const int buffer = picameras::make_buffer(wanted->len, true);
    if (buffer < 0) {
      errno = -buffer;
      return -1;
    }
    wanted->fd = static_cast<uint32_t>(buffer);
    return 0;
  }
  static const auto next =
      reinterpret_cast<int (*)(int, unsigned long, ...)>(::dlsym(RTLD_NEXT, "ioctl"));
  return next(descriptor, request, argument);
}

}
