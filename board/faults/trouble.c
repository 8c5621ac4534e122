/* SPDX-License-Identifier: Apache-2.0
 * Preloaded into the service, it makes system calls on files fail or wait as the file $TROUBLE says at that moment.
 *
 * A line is CALL FILE WHAT: CALL is fsync, write or read, FILE the end of the path of the file, inode:NUMBER for one file
 * whatever its name is by then, as a bad sector stays with it, or * for any file, WHAT a number of an errno or
 * wait:MILLISECONDS. An empty or missing file means no trouble. What was done is counted,
 * one line each, in $TROUBLE.done. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int orders(char *text, size_t size) {
  const char *path = getenv("TROUBLE");
  if (!path) return 0;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  long length = syscall(SYS_read, file, text, size - 1);
  syscall(SYS_close, file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

static void note(const char *call, const char *path) {
  char name[4096], line[4300];
  snprintf(name, sizeof name, "%s.done", getenv("TROUBLE"));
  int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

/* Returns the errno that a call is to fail with; 0 lets it pass, after a wait if one is ordered. */
static int trouble(const char *call, int descriptor) {
  char text[1024], link[64], path[4096], wanted[16], ending[256], what[64];
  struct stat status;
  int saved = errno;
  if (!orders(text, sizeof text) || fstat(descriptor, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
    errno = saved;
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  int number = 0;
  for (char *line = strtok(text, "\n"); line && !number; line = strtok(NULL, "\n")) {
    if (sscanf(line, "%15s %255s %63s", wanted, ending, what) != 3 || strcmp(wanted, call) != 0) continue;
    size_t tail = strlen(ending);
    unsigned long long inode;
    bool is_meant = sscanf(ending, "inode:%llu", &inode) == 1
                        ? inode == status.st_ino
                        : strcmp(ending, "*") == 0 || (strlen(path) >= tail && strcmp(path + strlen(path) - tail, ending) == 0);
    if (!is_meant) continue;
    note(call, path);
    if (strncmp(what, "wait:", 5) == 0) {
      long wait = atol(what + 5);
      struct timespec time = {wait / 1000, wait % 1000 * 1000000};
      nanosleep(&time, NULL);
    } else {
      number = atoi(what);
    }
  }
  errno = saved;
  return number;
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))
#define FAIL_IF_TROUBLE(call) \
  int number = trouble(call, descriptor); \
  if (number) { \
    errno = number; \
    return -1; \
  }

int fsync(int descriptor) {
  FAIL_IF_TROUBLE("fsync")
  return REAL(int (*)(int), "fsync")(descriptor);
}

int fdatasync(int descriptor) {
  FAIL_IF_TROUBLE("fsync")
  return REAL(int (*)(int), "fdatasync")(descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  FAIL_IF_TROUBLE("write")
  return REAL(ssize_t (*)(int, const void *, size_t), "write")(descriptor, bytes, count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  FAIL_IF_TROUBLE("write")
  return REAL(ssize_t (*)(int, const void *, size_t, off64_t), "pwrite64")(descriptor, bytes, count, offset);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  FAIL_IF_TROUBLE("read")
  return REAL(ssize_t (*)(int, void *, size_t), "read")(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  FAIL_IF_TROUBLE("read")
  return REAL(ssize_t (*)(int, void *, size_t, off_t), "pread")(descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  FAIL_IF_TROUBLE("read")
  return REAL(ssize_t (*)(int, void *, size_t, off64_t), "pread64")(descriptor, bytes, count, offset);
}
