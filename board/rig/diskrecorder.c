/* SPDX-License-Identifier: Apache-2.0
 * Preloaded into User-Mode Linux, it records the writes and flushes of the disk DISK in the file RECORDING, in the format
 * of dm-log-writes; without RECORDING it only keeps flushes from the host's disk, because the host keeps its power.
 * User-Mode Linux calls from threads and stacks of its own: so nothing here allocates. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECTOR = 512, FLUSH = 1 };

static struct {
  uint64_t magic, version, count;
  uint32_t sector;
} __attribute__((packed)) head = {0x6A736677736872, 1, 0, SECTOR};

static int recording = -1;
static struct stat disk;
static off_t place = SECTOR;
static char sector[SECTOR];
static const char zeros[1 << 16];

static void put(const void *bytes, size_t length, off_t to) {
  if (syscall(SYS_pwrite64, recording, bytes, length, to) != (long)length) abort();
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("RECORDING"), *image = getenv("DISK");
  if (image == NULL || stat(image, &disk) != 0) abort();
  if (path == NULL) return;
  recording = open(path, O_WRONLY | O_CLOEXEC);
  if (recording < 0) abort();
  put(&head, sizeof head, 0);
}

static int is_disk(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && status.st_dev == disk.st_dev && status.st_ino == disk.st_ino;
}

/* Adds a request that the disk has done; its number is written last. */
static void add(uint64_t flags, const void *bytes, size_t length, off_t offset) {
  if (recording < 0) return;
  const uint64_t entry[] = {(uint64_t)offset / SECTOR, length / SECTOR, flags, 0};
  memcpy(sector, entry, sizeof entry);
  put(sector, SECTOR, place);
  if (length > 0) put(bytes, length, place + SECTOR);
  place += SECTOR + (off_t)length;
  head.count += 1;
  put(&head, sizeof head, 0);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  const ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, length, offset);
  if (written > 0 && is_disk(descriptor)) {
    /* A part of a sector would be a disk that no disk is. */
    if (offset % SECTOR != 0 || written % SECTOR != 0) abort();
    add(0, bytes, (size_t)written, offset);
  }
  return written;
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  const int result = (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
  if (result != 0 || !is_disk(descriptor)) return result;
  /* A hole and a range of zeros read alike. */
  while (length > 0) {
    const size_t part = length < (off64_t)sizeof zeros ? (size_t)length : sizeof zeros;
    add(0, zeros, part, offset);
    offset += (off64_t)part;
    length -= (off64_t)part;
  }
  return result;
}

static int flush(int descriptor, long call) {
  if (!is_disk(descriptor)) return (int)syscall(call, descriptor);
  add(FLUSH, NULL, 0, 0);
  return 0;
}

int fsync(int descriptor) { return flush(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return flush(descriptor, SYS_fdatasync); }
