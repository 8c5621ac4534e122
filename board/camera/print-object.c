/* Prints the camera object that a program would load and its libcamera's version, or why there is none. */
#include <stdio.h>

#include "CLibcameraShim.h"

int main(void) {
  char path[512] = "", cause[512] = "";
  int status = platen_camera_object_load(path, sizeof(path), cause, sizeof(cause));
  if (status != 0) {
    printf("none: %s\n", cause);
    return 1;
  }
  platen_cameras cameras = 0;
  status = platen_cameras_open(&cameras, cause, sizeof(cause));
  printf("%s: libcamera %s%s%s\n", path, platen_cameras_library_version(), status ? ", but " : "", cause);
  return status ? 1 : 0;
}
