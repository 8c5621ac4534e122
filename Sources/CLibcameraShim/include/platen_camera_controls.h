/* The controls of a camera's exposure, white balance, focus, zoom, noise reduction and image. */
#ifndef PLATEN_CAMERA_CONTROLS_H
#define PLATEN_CAMERA_CONTROLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mode of the exposure. */
typedef enum platen_camera_exposure_mode {
  PLATEN_CAMERA_EXPOSURE_OWN = 0,    /* the camera's own: its automatic, if it has one */
  PLATEN_CAMERA_EXPOSURE_AUTO = 1,
  PLATEN_CAMERA_EXPOSURE_LOCKED = 2, /* stays as it is */
  PLATEN_CAMERA_EXPOSURE_CUSTOM = 3  /* exposure_ns and gain */
} platen_camera_exposure_mode;

/* The mode of the white balance. */
typedef enum platen_camera_white_balance_mode {
  PLATEN_CAMERA_WHITE_BALANCE_OWN = 0,
  PLATEN_CAMERA_WHITE_BALANCE_AUTO = 1,
  PLATEN_CAMERA_WHITE_BALANCE_LOCKED = 2,
  PLATEN_CAMERA_WHITE_BALANCE_CUSTOM = 3 /* red_gain and blue_gain */
} platen_camera_white_balance_mode;

/* The mode of the focus. */
typedef enum platen_camera_focus_mode {
  PLATEN_CAMERA_FOCUS_OWN = 0,        /* continuous, if available */
  PLATEN_CAMERA_FOCUS_CONTINUOUS = 1,
  PLATEN_CAMERA_FOCUS_AUTO = 2,       /* one scan each time that it is set */
  PLATEN_CAMERA_FOCUS_LOCKED = 3      /* stays, or goes to lens_position */
} platen_camera_focus_mode;

/* The amount of noise reduction. */
typedef enum platen_camera_noise_reduction {
  PLATEN_CAMERA_NOISE_REDUCTION_OWN = 0,
  PLATEN_CAMERA_NOISE_REDUCTION_MINIMAL = 1,
  PLATEN_CAMERA_NOISE_REDUCTION_FAST = 2,
  PLATEN_CAMERA_NOISE_REDUCTION_HIGH_QUALITY = 3
} platen_camera_noise_reduction;

enum {
  PLATEN_CAMERA_CONTROL_NAME_MAX = 32,   /* bytes of a name with its final zero */
  PLATEN_CAMERA_IMAGE_CONTROLS_MAX = 16,
  PLATEN_CAMERA_REAL_CONTROLS_MAX = 32
};

/* A control of the image that is one real number. */
typedef struct platen_camera_image_control {
  char name[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* libcamera's, for example Sharpness */
  char word[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* its name in a refusal */
  double value;
  uint32_t is_set; /* 0: the camera's default, if the camera has the control */
} platen_camera_image_control;

/* All controls at once; zero bytes leave all to the camera. */
typedef struct platen_camera_controls {
  uint32_t exposure_mode;        /* platen_camera_exposure_mode */
  uint32_t white_balance_mode;   /* platen_camera_white_balance_mode */
  uint32_t focus_mode;           /* platen_camera_focus_mode */
  uint32_t has_lens_position;    /* 1: with FOCUS_LOCKED the lens goes to lens_position */
  uint32_t flicker_hz;           /* 50 or 60; 0: no avoidance */
  uint32_t noise_reduction;      /* platen_camera_noise_reduction */
  int64_t exposure_ns;           /* ExposureTime */
  double gain;                   /* AnalogueGain */
  double red_gain;               /* ColourGains */
  double blue_gain;
  double lens_position;          /* LensPosition, diopters */
  double zoom;                   /* by ScalerCrop; 1, or 0: the whole field of view */
  uint32_t image_count;          /* controls in image */
  platen_camera_image_control image[PLATEN_CAMERA_IMAGE_CONTROLS_MAX];
} platen_camera_controls;

/* The controls that a camera has. */
enum {
  PLATEN_CAMERA_CAN_EXPOSURE_AUTO = 1 << 0,
  PLATEN_CAMERA_CAN_EXPOSURE_LOCKED = 1 << 1,
  PLATEN_CAMERA_CAN_EXPOSURE_CUSTOM = 1 << 2,
  PLATEN_CAMERA_CAN_WHITE_BALANCE_AUTO = 1 << 3,
  PLATEN_CAMERA_CAN_WHITE_BALANCE_LOCKED = 1 << 4,
  PLATEN_CAMERA_CAN_WHITE_BALANCE_CUSTOM = 1 << 5,
  PLATEN_CAMERA_CAN_FOCUS_CONTINUOUS = 1 << 6,
  PLATEN_CAMERA_CAN_FOCUS_AUTO = 1 << 7,
  PLATEN_CAMERA_CAN_FOCUS_LOCKED = 1 << 8,
  PLATEN_CAMERA_CAN_LENS_POSITION = 1 << 9,
  PLATEN_CAMERA_CAN_ZOOM = 1 << 10,
  PLATEN_CAMERA_CAN_AVOID_FLICKER = 1 << 11,
  PLATEN_CAMERA_CAN_NOISE_REDUCTION_MINIMAL = 1 << 12,
  PLATEN_CAMERA_CAN_NOISE_REDUCTION_FAST = 1 << 13,
  PLATEN_CAMERA_CAN_NOISE_REDUCTION_HIGH_QUALITY = 1 << 14
};

/* The limits of a control. */
typedef struct platen_camera_range {
  double minimum;
  double maximum; /* below minimum: unknown */
} platen_camera_range;

/* A control of a camera that is one real number. */
typedef struct platen_camera_real_control {
  char name[PLATEN_CAMERA_CONTROL_NAME_MAX]; /* libcamera's */
  platen_camera_range range;
} platen_camera_real_control;

/* The capabilities of a camera, with the limits of the mode that was configured last. */
typedef struct platen_camera_capabilities {
  uint32_t can;                        /* PLATEN_CAMERA_CAN_… */
  platen_camera_range exposure_ns;
  platen_camera_range gain;
  platen_camera_range white_balance_gain;
  platen_camera_range lens_position;
  double zoom_maximum;                 /* 1 when the camera cannot zoom */
  platen_camera_range frame_duration_ns;
  uint32_t real_count;                 /* controls in real */
  platen_camera_real_control real[PLATEN_CAMERA_REAL_CONTROLS_MAX];
} platen_camera_capabilities;

#ifdef __cplusplus
}
#endif

#endif
