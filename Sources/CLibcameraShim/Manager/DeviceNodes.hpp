// The nodes of cameras in /dev, looked at without opening any of them.
#pragma once

#include <libcamera/camera.h>

#include "platen_cameras.h"

namespace platen {

/// Counts the nodes below a device root and those that may not be opened (faccessat).
platen_cameras_preflight_result preflight(const char *device_root);

/// Whose nodes have been taken away.
enum class NodeLoss {
  none,
  of_some_camera,  // libcamera does not say which nodes belong to which camera
  of_this_camera,
};

/// Whether a media or video node that this process has open has been taken away.
///
/// Looks where the process's descriptors lead (/proc/self/fd), which opens nothing: a closed
/// descriptor of a media node would drop libcamera's lock on it. With a camera, only nodes that
/// libcamera says are its own count, where it says so (SystemDevices, from 0.1).
NodeLoss look_for_lost_nodes(const libcamera::Camera *camera);

/// Whether another process has locked a media node, which is how libcamera marks one in use.
///
/// Opens and closes the nodes: only for a process that has no camera acquired.
bool any_media_node_is_locked();

}  // namespace platen
