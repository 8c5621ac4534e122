/*
 * libcamera behind plain C: the only way from Swift to its C++. The camera object has the functions.
 * Without an object that loads they fail with -ENOPKG.
 *
 * Conventions of all functions:
 *
 * - `platen_cameras_…` concerns the only camera manager of the process, `platen_camera_…` one
 *   acquired camera, `platen_camera_frame_…` one leased frame.
 * - Handles are numbers of a table in the shim, never used twice; 0 is none. A stale handle fails
 *   with -EBADF, so use after close cannot touch freed memory. Functions that release something
 *   accept 0.
 * - Functions return 0 or a count on success and a negative errno on failure; no exception leaves.
 * - `cause` takes the reason of a failure in words, a clause without the device, cut to
 *   `cause_size` bytes with its final NUL; it is the empty string on success and may be NULL.
 * - Every function may be called from any thread. Control calls of one camera run one at a time.
 * - Only platen_camera_listen() sets functions that are called back. Each event queue has an
 *   eventfd that is readable while events wait, except for those that a listener is about to take.
 */
#ifndef PLATEN_CLIBCAMERASHIM_H
#define PLATEN_CLIBCAMERASHIM_H

#include "platen_cameras.h"
#include "platen_camera_controls.h"
#include "platen_camera.h"
#include "platen_camera_frame.h"
#include "platen_camera_object.h"
#include "platen_camera_rehearsal.h"

#endif
