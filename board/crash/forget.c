/* SPDX-License-Identifier: Apache-2.0
 * Preloaded into the crash replay's workload, it breaks a promise of the disk on purpose, to see that the referee
 * notices: FORGET=directories leaves out the fsync of directories, FORGET=wal that of the database's log, FORGET=sources
 * that of the frames of proxies, FORGET=everything all of them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_forgotten(int descriptor) {
  const char *what = getenv("FORGET");
  if (!what) return 0;
  if (strcmp(what, "everything") == 0) return 1;
  if (strcmp(what, "directories") == 0) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  }
  /* The frames get their item's name when they are on stable storage. */
  const char *end = strcmp(what, "sources") == 0 ? ".source.part" : "-wal";
  size_t end_length = strlen(end);
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path);
  return length > (ssize_t)end_length && memcmp(path + length - end_length, end, end_length) == 0;
}

int fsync(int descriptor) {
  if (is_forgotten(descriptor)) return 0;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
  if (is_forgotten(descriptor)) return 0;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}
