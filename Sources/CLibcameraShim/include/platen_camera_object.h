/*
 * The camera object: a shared library with the functions of CLibcameraShim.h for one libcamera.
 *
 * libcamera's own name changes with every release, so no program can be linked against it. The
 * program loads the object that fits the libcamera of the system, at the first call that needs it.
 */
#ifndef PLATEN_CAMERA_OBJECT_H
#define PLATEN_CAMERA_OBJECT_H

#include "platen_camera.h"
#include "platen_camera_controls.h"
#include "platen_camera_frame.h"
#include "platen_cameras.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every change of the functions that no structure shows. */
enum { PLATEN_CAMERA_REVISION = 5 };

/* The interface of an object: another number, another layout of the structures of both sides. */
#define PLATEN_CAMERA_INTERFACE                                                          \
  ((((((((uint64_t)PLATEN_CAMERA_REVISION * 31 + sizeof(platen_camera_request)) * 31         \
       + sizeof(platen_camera_stream)) * 31 + sizeof(platen_camera_event)) * 31             \
     + sizeof(platen_camera_capabilities)) * 31 + sizeof(platen_cameras_description)) * 31  \
   + sizeof(platen_cameras_preflight_result)) * 31                                        \
  + sizeof(platen_camera_frame_memory))

/* The object's PLATEN_CAMERA_INTERFACE; a program takes no object with another one. */
extern const uint64_t platen_camera_interface;

/* The directories of installed objects, the first before the second. */
#define PLATEN_CAMERA_OBJECTS_BUILT_HERE "/usr/local/lib/platen/cameras"
#define PLATEN_CAMERA_OBJECTS_PACKAGED "/usr/lib/platen/cameras"

/*
 * Loads the camera object, if none is loaded: the one in the program's own directory, else the one
 * that was built on this machine for the newest libcamera of the system, else the package's.
 * `path` receives the object's path, cut to `path_size` bytes; it may be NULL.
 *
 * -ENOPKG: no object loads; `cause` names the libcamera that is installed, if one is.
 */
int platen_camera_object_load(
    char *_Nullable path, size_t path_size, char *_Nullable cause, size_t cause_size);

#ifdef __cplusplus
}
#endif

#endif
