// The nodes of cameras in /dev.
#pragma once

#include <libcamera/camera.h>

#include "platen_cameras.h"

namespace platen {

/// Counts the nodes below a device root and those that may not be opened (faccessat).
platen_cameras_preflight_result preflight(const char *device_root);

/// The owner of lost nodes.
enum class NodeLoss {
  none,
  of_some_camera,  // other nodes are left, and libcamera does not report whose the lost ones were
  of_this_camera,
};

/// Returns whether a media or video node that this process has open is gone.
///
/// The function reads the targets of the process's descriptors (/proc/self/fd) and opens nothing: a
/// closed descriptor of a media node would drop libcamera's lock on it. With a camera, only nodes
/// that libcamera reports as its own count, where it reports them (SystemDevices, from 0.1).
NodeLoss look_for_lost_nodes(const libcamera::Camera *camera);

/// Returns whether another process has locked a media node, as libcamera does with those in use.
///
/// The function opens and closes the nodes, so it is only for a process that has no camera
/// acquired.
bool any_media_node_is_locked();

}  // namespace platen
