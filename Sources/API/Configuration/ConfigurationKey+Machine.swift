/// The keys of the other devices, of heat and supply, and of the pictures.
extension ConfigurationKey {
  static let ofDevices: [ConfigurationKey] =
    [
      .init("accelerometer", "section", "what says which way is up"),
      .init(
        "accelerometer.device", "text", default: "required", "the IIO device's name or ID"),
      .init(
        "accelerometer.trigger", "text", default: "the device's own",
        "the IIO trigger that paces the samples; none polls"),
      .init(
        "accelerometer.rate", "number", "1 to 100 samples a second", default: "10",
        "how often it is read"),
      .init(
        "accelerometer.mount_matrix", "text", "nine numbers in three rows",
        default: "the kernel's", "how the sensor is turned in the rig"),
      .init(
        "accelerometer.frozen_after", "duration", "1 s to 24 h, or off", default: "30 s",
        "how long readings may be identical"),
      .init("indicators", "section", "the lights"),
      .init(
        "indicators.LIGHT", "section", "ready, fault, upload, power; or single alone",
        "a light by what it is for"),
    ] + light("indicators.LIGHT") + [.init("lamp", "section", "the light for the pages")]
    + light("lamp")
    + [
      .init(
        "lamp.mode", "word", "session, shot", default: "session", "when the lamp is lit"),
      .init(
        "lamp.lead_time", "duration", "0 ms to 10 s", default: "200 ms",
        "how long it is lit before an exposure counts"),
      .init(
        "lamp.hold_time", "duration", "0 ms to 1 min, with mode: shot", default: "0 ms",
        "how long it stays lit after the last picture"),
    ]

  private static func light(_ section: String) -> [ConfigurationKey] {
    [.init("\(section).led", "text", "the name of a kernel LED; excludes a line")]
      + line(section)
      + [
        .init(
          "\(section).active_low", "true or false", "with a line only", default: "false",
          "whether it is lit when the line is low")
      ]
  }

  private static let celsius = "-40 to 150 °C, ascending"

  static let ofHeat: [ConfigurationKey] = [
    .init("thermal", "section", "what is hot, and what the rig then does without"),
    .init(
      "thermal.zones", "list or section", "types of thermal zones", "the zones that are watched"),
    .init("thermal.zones.ZONE", "section", "the limits of one zone"),
    .init("thermal.zones.ZONE.fair", "number", celsius, default: "as for all", "its limit fair"),
    .init(
      "thermal.zones.ZONE.serious", "number", celsius, default: "as for all",
      "its limit serious"),
    .init(
      "thermal.zones.ZONE.critical", "number", celsius, default: "as for all",
      "its limit critical"),
    .init(
      "thermal.zones.ZONE.shutdown", "number", "\(celsius), or off", default: "as for all",
      "its hard limit"),
    .init("thermal.fair", "number", celsius, default: "60", "the limit of the state fair"),
    .init(
      "thermal.serious", "number or section", celsius, default: "70",
      "the limit of the state serious"),
    .init("thermal.serious.limit", "number", celsius, default: "70", "the limit itself"),
    .init(
      "thermal.serious.frame_rate", "number", "0.2 to 120 frames a second", default: "5",
      "the highest frame rate from serious on"),
    .init(
      "thermal.serious.preview_frame_rate", "number", "0.1 to 120 frames a second",
      default: "2", "the highest frame rate of the preview"),
    .init(
      "thermal.serious.uploads", "word", "continue, single, hold", default: "single",
      "what uploads do from serious on"),
    .init(
      "thermal.critical", "number or section", celsius, default: "80",
      "the limit of the state critical"),
    .init("thermal.critical.limit", "number", celsius, default: "80", "the limit itself"),
    .init(
      "thermal.critical.spacing", "duration", "1 s to 10 min, or off", default: "off",
      "the time between two presses; off refuses them"),
    .init(
      "thermal.shutdown", "number or section", "\(celsius), or off", default: "90",
      "the hard limit; needs power.method"),
    .init("thermal.shutdown.limit", "number", celsius, default: "90", "the limit itself"),
    .init(
      "thermal.shutdown.after", "duration", "0 s to 10 min", default: "10 s",
      "how long a zone must have been that hot"),
    .init(
      "thermal.hysteresis", "number", "0.5 to 20 kelvins", default: "3",
      "how far below a limit its state ends"),
    .init(
      "thermal.dwell", "duration", "1 s to 1 h", default: "60 s",
      "how long after a change the state may fall at the earliest"),
    .init(
      "thermal.interval", "duration", "100 ms to 1 min", default: "1 s",
      "the time between readings"),
    .init("power", "section", "the supply, and who switches the machine off"),
    .init(
      "power.method", "word", "none, logind, command", default: "none",
      "who switches the machine off"),
    .init(
      "power.power_off", "list", "an absolute path and arguments; with method: command",
      "the program that switches the machine off"),
    .init(
      "power.restart", "list", "an absolute path and arguments; with method: command",
      "the program that starts the machine anew"),
    .init(
      "power.undervoltage", "word", "warn, refuse", default: "warn", "what undervoltage does"),
    .init(
      "power.throttled", "path", default: "a Raspberry Pi's", "the firmware's flags"),
    .init(
      "power.undervoltage_alarm", "path", default: "a Raspberry Pi's",
      "an attribute that is 1 during undervoltage"),
  ]

  static let ofPictures: [ConfigurationKey] = [
    .init("image", "section", "the files of a capture"),
    .init(
      "image.quality", "whole number", "1 to 100; not with maximum_bytes", default: "90",
      "JPEG quality"),
    .init(
      "image.minimum_bytes", "bytes", "0 B to 50 MB", default: "half of maximum_bytes",
      "the least size that is wanted of a file"),
    .init(
      "image.maximum_bytes", "bytes", "10 kB to 50 MB", "the most that a file may have"),
    .init(
      "image.renditions", "list", "document, thumbnail", "what is made besides the photo"),
    .init(
      "image.embedded_thumbnail", "true or false", default: "true",
      "whether the photo has a thumbnail inside"),
    .init(
      "image.dpi", "number", "50 to 2400", default: "not known",
      "pixels to an inch of the page, with the configured camera, preset and zoom"),
    .init(
      "image.prioritization", "word", "speed, balanced, quality", default: "balanced",
      "what counts more"),
    .init(
      "image.fast_capture", "true or false", default: "true",
      "whether quality falls before presses are refused"),
    .init("duplicates", "section", "which pictures are marked as near duplicates"),
    .init(
      "duplicates.near_threshold", "whole number", "0 to 32 bits", default: "6",
      "by how much two pictures may differ"),
    .init(
      "duplicates.near_window", "whole number", "0 to 1000 pictures", default: "32",
      "how far back they are compared"),
    .init("spool", "section", default: "required", "the durable queue on the disk"),
    .init("spool.directory", "path", default: "required", "where it lies"),
    .init(
      "spool.minimum_free", "bytes", default: "256 MiB", "space that captures leave free"),
    .init(
      "spool.maximum_bytes", "bytes", "64 MiB or more", default: "no limit",
      "the most that waiting and quarantined pictures may take"),
    .init(
      "spool.maximum_items", "whole number", "1 or more", default: "no limit",
      "the most pictures that may wait or be quarantined"),
    .init(
      "spool.when_full", "word", "reject, evict-oldest", default: "reject",
      "what happens when there is no room"),
    .init(
      "spool.history_items", "whole number", "0 to 10 million", default: "100000",
      "delivered pictures that are remembered"),
    .init("ledger", "section", "every press and what became of it"),
    .init(
      "ledger.presses", "whole number", "100 to 1 million", default: "20000",
      "finished presses that are remembered"),
  ]
}
