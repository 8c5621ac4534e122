/* The controls of a camera's exposure, white balance, focus, zoom, noise reduction and image. */
#ifndef PLATEN_CAMERA_CONTROLS_H
#define PLATEN_CAMERA_CONTROLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PLATEN_CAMERA_CONTROL_NAME_MAX = 32,   /* bytes of a name with its final zero */
  PLATEN_CAMERA_CHOICES_MAX = 32,
  PLATEN_CAMERA_NUMBERS_MAX = 2,         /* numbers of a word */
  PLATEN_CAMERA_IMAGE_CONTROLS_MAX = 16,
  PLATEN_CAMERA_REAL_CONTROLS_MAX = 32
};

/* A wanted word of a control, one of those in LibcameraShim's Choices.cpp. */
typedef struct platen_camera_choice {
  char control[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* as a refusal names it: exposure mode */
  char word[PLATEN_CAMERA_CONTROL_NAME_MAX];    /* for example custom */
  uint32_t number_count;                        /* numbers in numbers */
  double numbers[PLATEN_CAMERA_NUMBERS_MAX];    /* for example nanoseconds and gain */
} platen_camera_choice;

/* A control of the image that is one real number. */
typedef struct platen_camera_image_control {
  char name[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* libcamera's, for example Sharpness */
  char word[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* its name in a refusal */
  double value;
  uint32_t is_set; /* 0: the camera's default, if the camera has the control */
} platen_camera_image_control;

/* All controls at once; zero bytes leave all to the camera. */
typedef struct platen_camera_controls {
  uint32_t choice_count;         /* controls in choices; the others are the camera's own */
  platen_camera_choice choices[PLATEN_CAMERA_CHOICES_MAX];
  double zoom;                   /* by ScalerCrop; 1, or 0: the whole field of view */
  uint32_t image_count;          /* controls in image */
  platen_camera_image_control image[PLATEN_CAMERA_IMAGE_CONTROLS_MAX];
} platen_camera_controls;

/* The limits of a control. */
typedef struct platen_camera_range {
  double minimum;
  double maximum; /* below minimum: unknown */
} platen_camera_range;

/* A word of a control that a camera has. */
typedef struct platen_camera_offer {
  char control[PLATEN_CAMERA_CONTROL_NAME_MAX];
  char word[PLATEN_CAMERA_CONTROL_NAME_MAX];
  uint32_t number_count;                        /* ranges in ranges */
  platen_camera_range ranges[PLATEN_CAMERA_NUMBERS_MAX];
} platen_camera_offer;

/* A control of a camera that is one real number. */
typedef struct platen_camera_real_control {
  char name[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* libcamera's */
  platen_camera_range range;
} platen_camera_real_control;

/* The order of the colors in the 2x2 tile of a raw frame. */
typedef enum platen_camera_mosaic {
  PLATEN_CAMERA_MOSAIC_NONE = 0, /* there are no raw frames */
  PLATEN_CAMERA_MOSAIC_RGGB = 1,
  PLATEN_CAMERA_MOSAIC_BGGR = 2,
  PLATEN_CAMERA_MOSAIC_GRBG = 3,
  PLATEN_CAMERA_MOSAIC_GBRG = 4,
  PLATEN_CAMERA_MOSAIC_MONOCHROME = 5
} platen_camera_mosaic;

/* The placement of a raw frame's samples in bytes. */
typedef enum platen_camera_packing {
  PLATEN_CAMERA_PACKING_WORDS = 0, /* little-endian words of 16 bits */
  PLATEN_CAMERA_PACKING_CSI2 = 1,  /* as MIPI CSI-2 sends them */
  PLATEN_CAMERA_PACKING_PISP = 2   /* compressed by a Raspberry Pi 5 (PISP_COMP1) */
} platen_camera_packing;

/* The layout of raw frames. */
typedef struct platen_camera_raw {
  uint32_t mosaic;     /* platen_camera_mosaic */
  uint32_t bit_depth;  /* bits of a sample */
  uint32_t packing;    /* platen_camera_packing */
  uint32_t width;
  uint32_t height;
  uint32_t stride;     /* bytes from row to row */
} platen_camera_raw;

/* The capabilities of a camera, with the limits of the mode that was configured last. */
typedef struct platen_camera_capabilities {
  uint32_t offer_count;                /* words in offers */
  platen_camera_offer offers[PLATEN_CAMERA_CHOICES_MAX];
  double zoom_maximum;                 /* 1 when the camera cannot zoom */
  platen_camera_range frame_duration_ns;
  uint32_t real_count;                 /* controls in real */
  platen_camera_real_control real[PLATEN_CAMERA_REAL_CONTROLS_MAX];
  platen_camera_raw raw;               /* of the largest mode */
} platen_camera_capabilities;

#ifdef __cplusplus
}
#endif

#endif
