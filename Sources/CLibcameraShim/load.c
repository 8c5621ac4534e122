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

static const char object_prefix[] = "libplatencamera-", object_suffix[] = ".so";
static const char library_prefix[] = "libcamera.so.";

/*
 * Finds the newest libcamera of the system, by the number behind its name; false without any. An
 * older one may stay beside it, but the modules and tuning files are those of the newest.
 */
static bool find_libcamera(char *version, size_t size) {
  glob_t names = {0};
  const char *places = "/usr{,/local}/lib{,/*-linux-gnu*}/libcamera.so.*[0-9]";
  const char *newest = NULL;
  if (glob(places, GLOB_BRACE, NULL, &names) == 0) {
    for (size_t i = 0; i < names.gl_pathc; i++) {
      const char *name = strrchr(names.gl_pathv[i], '/') + 1;
      if (!newest || strverscmp(name, newest) > 0) newest = name;
    }
  }
  if (newest) snprintf(version, size, "%s", newest + sizeof(library_prefix) - 1);
  globfree(&names);
  return newest != NULL;
}

/* Returns whether a file is the object for a libcamera: 0.4 is for 0.4 and 0.4.0. */
static bool fits(const char *name, const char *version) {
  size_t prefix = sizeof(object_prefix) - 1, suffix = sizeof(object_suffix) - 1;
  size_t length = strlen(name);
  if (length <= prefix + suffix || strncmp(name, object_prefix, prefix) != 0) return false;
  if (strcmp(name + length - suffix, object_suffix) != 0) return false;
  size_t count = length - prefix - suffix;
  return strncmp(name + prefix, version, count) == 0 &&
         (version[count] == '\0' || version[count] == '.');
}

/* Loads the object of a directory for a libcamera. */
static bool load_from(const char *directory, const char *version) {
  struct dirent **entries = NULL;
  int count = scandir(directory, &entries, NULL, versionsort);
  bool is_loaded = false;
  for (int i = count - 1; i >= 0; i--) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
    if (!is_loaded && length < (int)sizeof(path) && fits(entries[i]->d_name, version))
      is_loaded = load(path);
    free(entries[i]);
  }
  free(entries);
  return is_loaded;
}

const struct platen_object *platen_object(char *cause, size_t cause_size) {
  const struct platen_object *object = atomic_load_explicit(&loaded, memory_order_acquire);
  if (object) return object;
  pthread_mutex_lock(&mutex);
  object = atomic_load_explicit(&loaded, memory_order_relaxed);
  char version[NAME_MAX] = "";
  if (!object && (load_beside_program() ||
                  (find_libcamera(version, sizeof(version)) &&
                   (load_from(PLATEN_CAMERA_OBJECTS_BUILT_HERE, version) ||
                    load_from(PLATEN_CAMERA_OBJECTS_PACKAGED, version))))) {
    object = &found;
    atomic_store_explicit(&loaded, object, memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
  if (!object && cause && cause_size > 0) {
    if (version[0])
      snprintf(
          cause, cause_size, "no camera object fits the installed libcamera, %s%s", library_prefix,
          version);
    else
      snprintf(cause, cause_size, "libcamera is not installed");
  }
  return object;
}

int platen_camera_object_load(char *path, size_t path_size, char *cause, size_t cause_size) {
  if (cause && cause_size > 0) cause[0] = '\0';
  const struct platen_object *object = platen_object(cause, cause_size);
  if (!object) return -ENOPKG;
  if (path && path_size > 0) snprintf(path, path_size, "%s", object->path);
  return 0;
}
