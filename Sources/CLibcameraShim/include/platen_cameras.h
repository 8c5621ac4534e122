/* The camera manager: lists cameras, and explains why there are none. */
#ifndef PLATEN_CAMERAS_H
#define PLATEN_CAMERAS_H

#include <stddef.h>
#include <stdint.h>

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The camera manager; 0 is none. */
typedef uint64_t platen_cameras;

/* The amount of libcamera's output on standard error. */
typedef enum platen_cameras_log_level {
  PLATEN_CAMERAS_LOG_ERROR = 1,
  PLATEN_CAMERAS_LOG_WARNING = 2
} platen_cameras_log_level;

/* The direction in which a camera looks (libcamera's property Location). */
typedef enum platen_cameras_location {
  PLATEN_CAMERAS_LOCATION_UNSPECIFIED = 0,
  PLATEN_CAMERAS_LOCATION_FRONT = 1,
  PLATEN_CAMERAS_LOCATION_BACK = 2,
  PLATEN_CAMERAS_LOCATION_EXTERNAL = 3
} platen_cameras_location;

/* A camera as libcamera lists it. */
typedef struct platen_cameras_description {
  char id[256];        /* libcamera's ID, the same across restarts */
  char model[64];      /* property Model, or the ID where there is none */
  uint32_t location;   /* platen_cameras_location */
  int32_t rotation;    /* property Rotation, degrees counterclockwise; 0 where there is none */
  uint32_t width;      /* property PixelArraySize; 0 where there is none */
  uint32_t height;
} platen_cameras_description;

/* The device nodes of cameras as this process may use them. */
typedef struct platen_cameras_preflight_result {
  uint32_t media_nodes;    /* the number of media* */
  uint32_t video_nodes;    /* video* */
  uint32_t subdevice_nodes; /* v4l-subdev* */
  uint32_t heap_nodes;     /* dma_heap/… */
  uint32_t denied_nodes;   /* the number of all these that may not be opened for reading and writing */
  char first_denied[128];  /* the path of one of them, or empty */
} platen_cameras_preflight_result;

/* Returns the version of the linked libcamera, for example "v0.0.3". Never NULL, never freed. */
const char *_Nonnull platen_cameras_library_version(void);

/*
 * Sends libcamera's log lines of `level` and worse to standard error. Without this call libcamera's
 * defaults apply. Applies to the whole process.
 */
int platen_cameras_set_log_level(platen_cameras_log_level level);

/*
 * Counts the camera nodes below `device_root` ("/dev") and those that may not be opened. Uses
 * faccessat(2) and opens nothing, so that libcamera loses no lock.
 */
int platen_cameras_preflight(
    const char *_Nonnull device_root, platen_cameras_preflight_result *_Nonnull result);

/*
 * Starts the camera manager.
 *
 * -EBUSY: this process already has a manager (libcamera would abort).
 */
int platen_cameras_open(
    platen_cameras *_Nonnull cameras, char *_Nullable cause, size_t cause_size);

/*
 * Stops the camera manager.
 *
 * -EBUSY: a camera is still acquired (libcamera would wait forever).
 * -ESHUTDOWN, -ENOTRECOVERABLE: a camera was lost while it streamed, because it went away or
 * because it hangs; only the end of the process helps.
 */
int platen_cameras_close(platen_cameras cameras, char *_Nullable cause, size_t cause_size);

/*
 * Lists the cameras in the order of their IDs; returns their number, which may be more than
 * `capacity`.
 *
 * While no camera is acquired, an empty list, or one whose device nodes are gone, is looked up
 * again with a new libcamera manager. libcamera itself would never look again at a camera that was
 * in use by another process. It aborts when a camera whose loss it did not detect comes back.
 */
int platen_cameras_list(
    platen_cameras cameras, platen_cameras_description *_Nullable items, size_t capacity,
    char *_Nullable cause, size_t cause_size);

#ifdef __cplusplus
}
#endif

#endif
