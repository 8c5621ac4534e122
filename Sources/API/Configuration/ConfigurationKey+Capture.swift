/// The keys of the rig, its cameras and its buttons.
extension ConfigurationKey {
  static let ofRig: [ConfigurationKey] = [
    .init("rig", "section", default: "required", "what the rig is called"),
    .init(
      "rig.id", "text", "1 to 64 of A-Z a-z 0-9 _ -", default: "required", "the rig's name"),
    .init("rig.make", "text", default: "Platen", "EXIF's maker"),
    .init("rig.model", "text", default: "Scanning rig", "EXIF's model"),
    .init("board", "word", "linux, simulated", default: "required", "which devices are used"),
    .init("log", "section", "what is logged"),
    .init(
      "log.level", "word", "trace, debug, info, notice, warning, error, critical",
      default: "info", "the least severe messages that are logged"),
    .init("simulation", "section", "the simulated board"),
    .init(
      "simulation.seed", "whole number", "0 or more; with board: simulated", default: "1",
      "what the noise is computed from"),
  ]

  static let ofCamera: [ConfigurationKey] = [
    .init("camera", "section", "which camera, and what is asked of it"),
    .init(
      "camera.id", "text", default: "the first camera",
      "the camera as libcamera lists it; excludes position"),
    .init(
      "camera.position", "word", "front, back, external", "where the camera is; excludes id"),
    .init(
      "camera.standby", "text", "a role of cameras",
      "the camera that takes over when the one in use fails"),
    .init(
      "camera.preset", "word", "document, 1080p, full, custom", default: "1080p",
      "how large the pictures are"),
    .init(
      "camera.size", "size", "48x48 to 16384x16384 pixels",
      "the wanted size with preset: custom, or alone"),
    .init(
      "camera.frame_rate", "number", "1 to 120 frames a second", default: "30",
      "the wanted frame rate"),
    .init(
      "camera.pixel_formats", "list", "yuv420, nv12, yuyv, mjpeg, rgb, bgr",
      default: "all of them", "acceptable formats, the best first"),
    .init(
      "camera.ring_frames", "whole number", "3 to 20 frames", default: "8",
      "frames that are kept for the choice"),
    .init(
      "camera.maximum_captures", "whole number", "1 to 7", default: "3",
      "pictures that may be in the making at once"),
    .init(
      "camera.mounting_angle", "whole number", "0, 90, 180, 270 degrees clockwise",
      default: "0", "by how much the camera is turned in the rig"),
    .init(
      "camera.exposure", "word or section", "auto, or duration and gain",
      default: "the camera's own", "how the exposure is found"),
    .init(
      "camera.exposure.duration", "duration", "1 us to 1 min", "how long each row is exposed"),
    .init("camera.exposure.gain", "number", "1 to 1000, a factor", "the gain"),
    .init(
      "camera.white_balance", "word or section", "auto, or red and blue",
      default: "the camera's own", "how the white balance is found"),
    .init("camera.white_balance.red", "number", "0.01 to 100, a factor", "the gain of red"),
    .init("camera.white_balance.blue", "number", "0.01 to 100, a factor", "the gain of blue"),
    .init(
      "camera.focus", "word or number", "continuous, auto, locked, or 0 to 100 dioptres",
      default: "the camera's own", "how the focus is found"),
    .init(
      "camera.zoom", "number", "1 to 100, a factor", default: "1",
      "by how much the field of view is narrowed"),
    .init(
      "camera.flicker", "word", "50 or 60 hertz, off", default: "off",
      "the mains frequency that the exposure must not beat with"),
    .init(
      "camera.stall_timeout", "duration", "200 ms to 1 min", default: "1500 ms",
      "silence after which the camera counts as stalled"),
    .init(
      "camera.maximum_wait", "duration", "100 ms to 1 min", default: "2 s",
      "how long a press waits for its frame"),
    .init(
      "camera.settling_limit", "duration", "0 to 10 s", default: "0 s",
      "how long a press waits for exposure, white balance and focus to settle"),
    .init(
      "camera.process", "word", "separate, service", default: "separate",
      "where libcamera runs; board: simulated has service only"),
    .init("camera.recovery", "section", "what is done when the camera fails"),
    .init(
      "camera.recovery.rungs", "list",
      "restart_stream, reopen_camera, renew_camera_system, restart_service",
      default: "all of them", "what may be tried"),
    .init(
      "camera.recovery.attempts", "whole number", "1 to 10", default: "2",
      "how often each is tried before the next"),
    .init(
      "camera.recovery.retry_minimum", "duration", "10 ms to 1 min", default: "200 ms",
      "the pause after the first fault"),
    .init(
      "camera.recovery.retry_maximum", "duration", "100 ms to 10 min", default: "30 s",
      "the longest pause"),
    .init(
      "camera.recovery.restarts_per_hour", "whole number", "1 to 60", default: "6",
      "how often the service may end for the camera's sake"),
    .init(
      "camera.recovery.reboot", "true or false", "needs power.method", default: "false",
      "whether the machine may restart"),
    .init(
      "camera.recovery.reboots_per_day", "whole number", "1 to 24, with reboot: true",
      default: "2", "how often the machine may restart"),
    .init("cameras", "section", "several cameras, the first one in use at the start"),
    .init(
      "cameras.ROLE", "section", "a role is 1 to 32 of a-z 0-9 - _", "a camera by its role"),
    .init("cameras.ROLE.id", "text", "the camera as libcamera lists it"),
    .init("cameras.ROLE.position", "word", "front, back, external", "where the camera is"),
  ]

  static let ofButtons: [ConfigurationKey] =
    [
      .init("shutter", "section", "one button that takes pictures; excludes buttons"),
      .init("buttons", "section", "several buttons"),
      .init("buttons.NAME", "section", "a name is 1 to 32 of a-z 0-9 - _", "a button"),
    ] + ofButton("shutter") + ofButton("buttons.NAME")
    + [
      .init(
        "buttons.NAME.single", "word", gestures, default: "nothing", "what a push does"),
      .init(
        "buttons.NAME.double", "word", gestures, default: "nothing", "what two pushes do"),
      .init(
        "buttons.NAME.long", "word", gestures, default: "nothing", "what a long push does"),
      .init(
        "buttons.NAME.hold", "word", "power_off", default: "nothing",
        "what holding the button does"),
      .init(
        "buttons.NAME.double_within", "duration", "100 ms to 2 s", default: "400 ms",
        "the time from the first push to the second"),
      .init(
        "buttons.NAME.long_after", "duration", "300 ms to 10 s", default: "800 ms",
        "the time after which a push is long"),
      .init(
        "buttons.NAME.hold_after", "duration", "1 s to 20 s", default: "3 s",
        "the time after which the machine is armed to switch off"),
      .init(
        "buttons.NAME.cancel_within", "duration", "1 s to 1 min", default: "5 s",
        "how long that can be called off"),
    ]

  private static let gestures = "shoot, retake, focus, switch_camera, pause_uploads"

  private static func ofButton(_ section: String) -> [ConfigurationKey] {
    line(section)
      + [
        .init(
          "\(section).bias", "word", "as-is, disabled, pull-up, pull-down", default: "pull-up",
          "the resistor at the line"),
        .init(
          "\(section).active_low", "true or false", default: "true",
          "whether a push pulls the line to ground"),
        .init(
          "\(section).debounce", "duration", "0 ms to 1 s", default: "30 ms",
          "quiet time before a push"),
        .init(
          "\(section).shortest_press", "duration", "0 ms to 100 ms", default: "5 ms",
          "how long the contact must be closed for a press"),
        .init(
          "\(section).stuck_after", "duration", "1 s to 1 h", default: "30 s",
          "how long a button may be down until it counts as stuck"),
      ]
  }

  /// Returns the keys that name a GPIO line.
  static func line(_ section: String) -> [ConfigurationKey] {
    [
      .init("\(section).line", "text", "the line's name; excludes chip and offset"),
      .init("\(section).chip", "text", "the chip's label; goes with offset"),
      .init(
        "\(section).offset", "whole number", "0 to 4095", "the line's number on the chip"),
    ]
  }
}
