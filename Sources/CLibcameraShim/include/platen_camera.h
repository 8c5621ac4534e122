/* An acquired camera: its capabilities, its stream, and its events. */
#ifndef PLATEN_CAMERA_H
#define PLATEN_CAMERA_H

#include "platen_camera_controls.h"
#include "platen_cameras.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An acquired camera; 0 is none. */
typedef uint64_t platen_camera;

enum {
  PLATEN_CAMERA_FORMATS_MAX = 8,
  PLATEN_CAMERA_BUFFERS_MAX = 32
};

/* The wanted stream. */
typedef struct platen_camera_request {
  uint32_t width;                               /* wanted columns, 1 or more */
  uint32_t height;                              /* wanted rows, 1 or more */
  uint32_t formats[PLATEN_CAMERA_FORMATS_MAX];  /* acceptable DRM fourccs, the best first */
  uint32_t format_count;                        /* their number, 1 or more */
  uint32_t ring_frames;                         /* finished frames to keep, 2 or more */
  uint32_t leased_frames;                       /* leases that must not starve it, 1 or more */
  uint32_t wants_raw;                           /* 1: with raw frames, where the camera has them */
  uint32_t preview_width;                       /* the most columns of previews; 0: without previews */
  int64_t frame_duration_ns;                    /* wanted time between frames; 0: the camera's own */
  platen_camera_controls controls;              /* the controls of the first frames */
} platen_camera_request;

/* The conversion of luma and chroma to colors. */
typedef enum platen_camera_color_space {
  PLATEN_CAMERA_COLOR_UNSPECIFIED = 0,
  PLATEN_CAMERA_COLOR_BT601_FULL = 1,    /* JFIF */
  PLATEN_CAMERA_COLOR_BT601_LIMITED = 2,
  PLATEN_CAMERA_COLOR_BT709_LIMITED = 3
} platen_camera_color_space;

/* The allocator of the buffers. */
typedef enum platen_camera_memory {
  PLATEN_CAMERA_MEMORY_DRIVER = 0,   /* the driver, through FrameBufferAllocator */
  PLATEN_CAMERA_MEMORY_HEAP = 1      /* a dma-buf heap */
} platen_camera_memory;

/* The layout of the previews: small pictures of the same moments as the frames. */
typedef struct platen_camera_preview {
  uint32_t width;        /* 0: there are no previews */
  uint32_t height;
  uint32_t format;       /* DRM fourcc of YUV420 or NV12 */
  uint32_t stride;       /* bytes from row to row of the first plane */
  uint32_t color_space;  /* platen_camera_color_space */
} platen_camera_preview;

/* The camera's resolution of a request. */
typedef struct platen_camera_stream {
  uint32_t width;
  uint32_t height;
  uint32_t format;               /* DRM fourcc, one of the wanted */
  uint32_t stride;               /* bytes from row to row of the first plane; 0 for MJPEG */
  uint32_t frame_size;           /* maximum bytes of a frame */
  uint32_t color_space;          /* platen_camera_color_space */
  uint32_t buffer_count;         /* buffers that circulate; before the start an expectation */
  uint32_t ring_frames;          /* finished frames that it keeps for a lease; fewer with all leases in use */
  uint32_t leased_frames;        /* leases that do not starve it, at most the wanted number; 1 or more */
  uint32_t memory;               /* platen_camera_memory; before the start an expectation */
  uint32_t is_paced;             /* 1: a rate below the camera's own is made by returning buffers late */
  int64_t frame_duration_ns;     /* expected time between frames; 0: unknown */
  int64_t frame_duration_min_ns; /* FrameDurationLimits of the mode; 0: unknown */
  int64_t frame_duration_max_ns;
  int64_t readout_duration_ns;   /* first row to last row; 0 for a global shutter or when unknown */
  uint32_t rotation;             /* clockwise degrees by which the picture still has to be turned: 0, 90, 180, 270 */
  uint32_t sensor_width;         /* sensor pixels that its modes can show; 0: unknown */
  uint32_t sensor_height;
  uint32_t shown_width;          /* the pixels that this stream shows, without any zoom */
  uint32_t shown_height;
  platen_camera_raw raw;         /* the raw frames beside these */
  platen_camera_preview preview; /* the previews beside these; the first to go for lack of memory */
  uint32_t lacks_raw_memory;     /* 1: the wanted raw frames were left out for lack of memory */
} platen_camera_stream;

/* The optional fields of platen_camera_frame_info that are present. */
enum {
  PLATEN_CAMERA_HAS_EXPOSURE = 1 << 0,
  PLATEN_CAMERA_HAS_FRAME_DURATION = 1 << 1,
  PLATEN_CAMERA_HAS_ANALOGUE_GAIN = 1 << 2,
  PLATEN_CAMERA_HAS_DIGITAL_GAIN = 1 << 3,
  PLATEN_CAMERA_HAS_LENS_POSITION = 1 << 4,
  PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS = 1 << 5,
  PLATEN_CAMERA_HAS_COLOR_TEMPERATURE = 1 << 6,
  PLATEN_CAMERA_HAS_CROP = 1 << 7,
  PLATEN_CAMERA_HAS_ZOOM = 1 << 8,
  PLATEN_CAMERA_HAS_COLOR_MATRIX = 1 << 9,
  PLATEN_CAMERA_HAS_BLACK_LEVELS = 1 << 10
};

/* The clock of a driver's timestamp, as far as plausibility tells. */
typedef enum platen_camera_clock {
  PLATEN_CAMERA_CLOCK_UNKNOWN = 0,   /* timestamp_ns is the time of completion */
  PLATEN_CAMERA_CLOCK_MONOTONIC = 1,
  PLATEN_CAMERA_CLOCK_BOOTTIME = 2   /* timestamp_ns has been converted */
} platen_camera_clock;

/* The state of an automatic. */
typedef enum platen_camera_adjustment {
  PLATEN_CAMERA_ADJUSTMENT_UNKNOWN = 0,
  PLATEN_CAMERA_ADJUSTMENT_SEARCHING = 1,
  PLATEN_CAMERA_ADJUSTMENT_CONVERGED = 2,
  PLATEN_CAMERA_ADJUSTMENT_LOCKED = 3     /* the automatic does not run */
} platen_camera_adjustment;

/* The state of the lens. */
typedef enum platen_camera_focus {
  PLATEN_CAMERA_FOCUS_STATE_UNKNOWN = 0,
  PLATEN_CAMERA_FOCUS_STATE_IDLE = 1,
  PLATEN_CAMERA_FOCUS_STATE_SCANNING = 2,
  PLATEN_CAMERA_FOCUS_STATE_FOCUSED = 3,
  PLATEN_CAMERA_FOCUS_STATE_FAILED = 4
} platen_camera_focus;

/* The description of a finished frame. */
typedef struct platen_camera_frame_info {
  uint64_t id;                /* 1, 2, 3 … as long as the camera is acquired */
  uint64_t sequence;          /* the driver's number */
  int64_t timestamp_ns;       /* CLOCK_MONOTONIC, first row's readout start (SensorTimestamp) */
  uint32_t clock;             /* platen_camera_clock */
  uint32_t present;           /* PLATEN_CAMERA_HAS_… */
  int64_t exposure_ns;        /* ExposureTime */
  int64_t frame_duration_ns;  /* FrameDuration */
  double analogue_gain;       /* AnalogueGain */
  double digital_gain;        /* DigitalGain */
  double lens_position;       /* LensPosition, diopters */
  uint32_t exposure_state;    /* platen_camera_adjustment: AeState, or AeLocked before 0.5 */
  uint32_t white_balance_state; /* platen_camera_adjustment: AwbLocked */
  uint32_t focus_state;       /* platen_camera_focus: AfState */
  int32_t color_temperature;  /* ColourTemperature, kelvins */
  double red_gain;            /* ColourGains */
  double blue_gain;
  int32_t crop_left;          /* ScalerCrop, sensor pixels */
  int32_t crop_top;
  uint32_t crop_width;
  uint32_t crop_height;
  double zoom;                /* the zoom that the crop amounts to, 1 or more */
  float color_matrix[9];      /* ColourCorrectionMatrix, row by row */
  int32_t black_levels[4];    /* SensorBlackLevels of 16 bits: R, G beside R, G beside B, B */
} platen_camera_frame_info;

/* The kind of a camera's event. */
typedef enum platen_camera_event_kind {
  PLATEN_CAMERA_FRAME = 1,        /* `frame` is finished and can be leased */
  PLATEN_CAMERA_DAMAGED = 2,      /* a frame with an error; `frame` has sequence and timestamp */
  PLATEN_CAMERA_STARVED = 3,      /* all buffers are leased: no frames come */
  PLATEN_CAMERA_REPLENISHED = 4,  /* a buffer was released after STARVED */
  PLATEN_CAMERA_STREAM_FAILED = 5, /* the stream ended by itself, once per start; `error` is the reason */
  PLATEN_CAMERA_DISCONNECTED = 6  /* the camera is gone, once per acquisition */
} platen_camera_event_kind;

/* An event of a camera. */
typedef struct platen_camera_event {
  uint32_t kind;                  /* platen_camera_event_kind */
  int32_t error;                  /* negative errno of STREAM_FAILED */
  uint64_t lost_events;           /* frame events dropped unread since the camera was acquired */
  platen_camera_frame_info frame;
} platen_camera_event;

/*
 * Acquires a camera for this process alone. `event_descriptor` receives an eventfd that the camera
 * keeps until its release.
 *
 * -ENODEV: no camera has that ID. -EBUSY: another process, or this one, has the camera, or no
 * camera is listed because another process streams from it. -EACCES: there are nodes that may not
 * be opened, and `cause` names one.
 */
int platen_camera_acquire(
    platen_cameras cameras, const char *_Nonnull id, platen_camera *_Nonnull camera,
    int *_Nonnull event_descriptor, char *_Nullable cause, size_t cause_size);

/*
 * Stops the stream and releases the camera; leases stay valid. Accepts 0. The handle is invalid
 * afterwards, even after a failure. Failures are those of platen_camera_stop().
 */
int platen_camera_release(platen_camera camera, char *_Nullable cause, size_t cause_size);

/*
 * Returns the camera's resolution of a request, even while it streams (libcamera's validate()).
 *
 * -ENOTSUP: none of the formats is available.
 */
int platen_camera_resolve(
    platen_camera camera, const platen_camera_request *_Nonnull request,
    platen_camera_stream *_Nonnull stream, char *_Nullable cause, size_t cause_size);

/*
 * Validates a request, stops the running stream, configures, allocates and starts.
 *
 * Unsupported requests (-ENOTSUP) are detected before the running stream is touched, except for
 * numbers of controls beyond limits that depend on the mode. Unread events of the old stream are
 * dropped.
 */
int platen_camera_start(
    platen_camera camera, const platen_camera_request *_Nonnull request,
    platen_camera_stream *_Nonnull stream, char *_Nullable cause, size_t cause_size);

/*
 * Stops the stream; leases stay valid. 0 when there is none. Accepts 0.
 *
 * -ENODEV: the camera's device nodes are gone and libcamera did not notice; its stop() would abort
 * the process and is not called. -ETIMEDOUT: libcamera's stop() did not return within ten seconds.
 *
 * After both, the camera can only be released. All other calls are refused, even by the manager,
 * with -ESHUTDOWN after the first and -ENOTRECOVERABLE after the second. The caller may finish its
 * work and should then have the process restarted before the camera is plugged in again (libcamera
 * may abort then). Leases can still be read.
 *
 * libcamera keeps the requests of an unplugged camera that it has noticed, and the shim keeps their
 * buffers. If such a camera streamed, the manager refuses all calls with -ESHUTDOWN after its
 * release.
 */
int platen_camera_stop(platen_camera camera, char *_Nullable cause, size_t cause_size);

/*
 * Sets another time between frames of the running stream in nanoseconds; 0 is the camera's own.
 * `applied_ns` receives the resulting time, within the limits of the mode.
 *
 * The time is set by FrameDurationLimits where the camera has them, else by returning buffers late.
 * -ENOTCONN: no stream runs.
 */
int platen_camera_set_frame_duration(
    platen_camera camera, int64_t duration_ns, int64_t *_Nonnull applied_ns,
    char *_Nullable cause, size_t cause_size);

/*
 * Returns the controls that the camera has, with the limits of the mode that was configured last.
 * Before that, limits may be wider or narrower.
 */
int platen_camera_capabilities_get(
    platen_camera camera, platen_camera_capabilities *_Nonnull capabilities,
    char *_Nullable cause, size_t cause_size);

/*
 * Sets all controls of the running stream, from the next requests on. When no stream runs, the
 * controls are only checked. A control that the camera does not list is never set.
 *
 * -ENOTSUP: the camera lacks a control, or its value is out of limits; `cause` names the first, and
 * no control has been set.
 */
int platen_camera_set_controls(
    platen_camera camera, const platen_camera_controls *_Nonnull controls, char *_Nullable cause,
    size_t cause_size);

/*
 * Sets the listener of the camera's events, in place of the former one. `take` is called with
 * `context` on libcamera's thread when a request is finished, so that no other thread wakes up. No
 * lock of the shim is held then. `take` has to call platen_camera_next_event() until there is no
 * event, and must not wait. With the result 0 the events are left to the watcher of the descriptor,
 * as are those that come from other threads.
 *
 * `release` is called once with `context` after the last `take`: when another listener is set, the
 * camera is released, or this call fails.
 */
int platen_camera_listen(
    platen_camera camera, int (*_Nonnull take)(void *_Nonnull context),
    void (*_Nonnull release)(void *_Nonnull context), void *_Nonnull context);

/* Takes the next event: 1 and the event, 0 when there is none, or a negative errno. */
int platen_camera_next_event(platen_camera camera, platen_camera_event *_Nonnull event);

#ifdef __cplusplus
}
#endif

#endif
