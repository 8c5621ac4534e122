/* Finding and loading the camera object. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "object.h"

/* Beside the program, as a build leaves it. */
static const char name_beside_program[] = "libplatencamera.so";

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct platen_object found;
static _Atomic(const struct platen_object *) loaded;

/* Takes the functions of an open object; returns whether it has them all, for this interface. */
static bool take_calls(void *handle) {
  const uint64_t *interface = dlsym(handle, "platen_camera_interface");
  if (!interface || *interface != PLATEN_CAMERA_INTERFACE) return false;
#define PLATEN_TAKE(name) \
  if (!(*(void **)&found.name = dlsym(handle, #name))) return false;
  PLATEN_EACH_CALL(PLATEN_TAKE)
  return true;
}

/* Loads one object. Its libcamera must be installed, or the system's loader refuses it. */
static bool load(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  if (take_calls(handle)) {
    snprintf(found.path, sizeof(found.path), "%s", path);
    return true;
  }
  dlclose(handle);
  return false;
}

static bool load_beside_program(void) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof(name_beside_program));
  if (length <= 0) return false;
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  memcpy(slash + 1, name_beside_program, sizeof(name_beside_program));
  return load(path);
}

static int is_object(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

/* Loads the newest object of a directory that can be loaded. */
static bool load_from(const char *directory) {
  struct dirent **entries = NULL;
  int count = scandir(directory, &entries, is_object, versionsort);
  bool is_loaded = false;
  for (int i = count - 1; i >= 0; i--) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
    if (!is_loaded && length < (int)sizeof(path)) is_loaded = load(path);
    free(entries[i]);
  }
  free(entries);
  return is_loaded;
}

/* Says which libcamera is installed, by the library's name. */
static void tell_cause(char *cause, size_t cause_size) {
  if (!cause || cause_size == 0) return;
  glob_t names = {0};
  const char *place = "/usr{,/local}/lib{,/*-linux-gnu*}/libcamera.so.*[0-9]";
  const char *newest = NULL;
  if (glob(place, GLOB_BRACE, NULL, &names) == 0) {
    for (size_t i = 0; i < names.gl_pathc; i++) {
      const char *name = strrchr(names.gl_pathv[i], '/') + 1;
      if (!newest || strverscmp(name, newest) > 0) newest = name;
    }
  }
  if (newest)
    snprintf(cause, cause_size, "no camera object fits the installed libcamera, %s", newest);
  else
    snprintf(cause, cause_size, "libcamera is not installed");
  globfree(&names);
}

const struct platen_object *platen_object(char *cause, size_t cause_size) {
  const struct platen_object *object = atomic_load_explicit(&loaded, memory_order_acquire);
  if (object) return object;
  pthread_mutex_lock(&mutex);
  object = atomic_load_explicit(&loaded, memory_order_relaxed);
  if (!object && (load_beside_program() || load_from(PLATEN_CAMERA_OBJECTS_BUILT_HERE) ||
                  load_from(PLATEN_CAMERA_OBJECTS_PACKAGED))) {
    object = &found;
    atomic_store_explicit(&loaded, object, memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
  if (!object) tell_cause(cause, cause_size);
  return object;
}

int platen_camera_object_load(char *path, size_t path_size, char *cause, size_t cause_size) {
  if (cause && cause_size > 0) cause[0] = '\0';
  const struct platen_object *object = platen_object(cause, cause_size);
  if (!object) return -ENOPKG;
  if (path && path_size > 0) snprintf(path, path_size, "%s", object->path);
  return 0;
}
