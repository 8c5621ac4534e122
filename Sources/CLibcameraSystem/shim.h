#pragma once
#include <libcamera/libcamera.h>
