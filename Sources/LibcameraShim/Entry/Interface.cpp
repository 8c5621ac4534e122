// The number by which a program knows whether this object fits it.
#include "platen_camera_object.h"

const uint64_t platen_camera_interface = PLATEN_CAMERA_INTERFACE;
