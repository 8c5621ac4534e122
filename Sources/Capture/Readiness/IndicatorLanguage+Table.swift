package import Devices

/// The table of the lights as data, for the console and the documentation.
extension IndicatorLanguage {
  /// A row: a light's pattern and its meaning.
  package struct Entry: Sendable, Hashable {
    /// The light; `nil` for all lights together.
    package let light: IndicatorRole?
    /// The light's color; the single light of a rig may have any.
    package let color: String
    /// The state's name: a reason code, or a word for a state without a fault.
    package let state: String
    /// The visible pattern with its times, in words.
    package let shown: String
    /// The meaning, and the remedy.
    package let meaning: String
    /// The digits to count; `nil` where there are none.
    package let code: BlinkCode?
    /// The light's pattern.
    package let pattern: IndicatorPattern
  }

  /// A reason, its code, and its meaning.
  struct CodeEntry: Sendable {
    let reason: InterruptionReason
    let code: BlinkCode
    let meaning: String
  }

  /// The codes of all known reasons.
  ///
  /// The first digit names the fault's group: 1 and 2 the camera, 3 the disk, 4 heat and power, 5 a
  /// button, 6 other faults, 7 uploads.
  static let codes: [CodeEntry] = [
    .init(.cameraAbsent, 1, 1, "there is no camera: look at its cable"),
    .init(.cameraUnplugged, 1, 2, "the camera has been unplugged"),
    .init(.cameraInUse, 1, 3, "another program uses the camera"),
    .init(.cameraNotAuthorized, 1, 4, "the service may not open the camera"),
    .init(.cameraStalled, 2, 1, "the camera gives no pictures"),
    .init(.cameraTimedOut, 2, 2, "the camera's driver waits for the sensor in vain"),
    .init(.cameraFailed, 2, 3, "the camera reports a fault"),
    .init(.buffersExhausted, 2, 4, "there is no memory for the camera's pictures"),
    .init(.storageFull, 3, 1, "the disk is full: pictures wait to be uploaded"),
    .init(.storageStalled, 3, 2, "the disk does not answer"),
    .init(.storageFailed, 3, 3, "the disk cannot be written"),
    .init(.thermalPressure, 4, 1, "it is too hot"),
    .init(.undervoltage, 4, 2, "the supply voltage is too low: look at the power supply"),
    .init(.buttonStuck, 5, 1, "a button is stuck, or something lies on it"),
    .init(.buttonHeldAtStart, 5, 2, "a button was down at the start"),
    .init(.buttonChattering, 5, 3, "a button's contact or cable is bad"),
    .init(.stoppedByTechnician, 6, 1, "a technician has stopped captures"),
    .init(.accelerometer, 6, 2, "the accelerometer fails: pictures keep the last orientation"),
    .init(.lamp, 6, 3, "the lamp cannot be switched: pictures are taken without it"),
    .init(.buttonTest, 6, 4, "a technician tests a button"),
  ]

  /// The code of reasons without a code of their own.
  package static let otherCode = BlinkCode(6, 6)
  /// The single light's code for a server that cannot be reached.
  static let uploadCode = BlinkCode(7, 1)
  /// The single light's code for paused uploads.
  static let pausedCode = BlinkCode(7, 2)

  /// All rows: everything that the lights can show.
  package static let table: [Entry] =
    [
      Entry(
        nil, "powerOffArmed", "even blinking, half a second lit and half a second dark",
        "the power goes off unless a button is pressed", armed)
    ] + readyEntries + faultEntries + uploadEntries + powerEntries + singleEntries

  private static let readyEntries: [Entry] = [
    Entry(
      .ready, "notReady", "dark",
      "a press would be refused, or has just been, or the service does not run", .off),
    Entry(.ready, "ready", "steady", "a press would be taken", .on),
    Entry(
      .ready, "capturing", "fast blinking, 60 ms lit and 60 ms dark",
      "a picture is on its way to the disk", busy),
  ]

  private static let faultEntries: [Entry] =
    [
      Entry(.fault, "inOrder", "dark", "nothing is wrong", .off),
      Entry(
        .fault, "pressRefused", "even blinking for a second, 100 ms lit and 100 ms dark",
        "a press was refused and there is no picture of it: press again", refused),
    ]
    + codes.map { Entry(.fault, $0.reason.rawValue, $0.code, $0.meaning) }
    + [Entry(.fault, "other", otherCode, "something else: look at the log")]

  private static let uploadEntries: [Entry] = [
    Entry(.upload, "uploadsIdle", "dark", "nothing waits to be uploaded", .off),
    Entry(.upload, "uploadsActive", "steady", "pictures wait or are being uploaded", .on),
    Entry(
      .upload, "uploadsWaitingToRetry", "2 flashes, every 2 s", "the server cannot be reached",
      .flashes(2)),
    Entry(
      .upload, "uploadsPaused", "one short flash every 3 s", "a technician holds the uploads back",
      paused),
  ]

  private static let powerEntries: [Entry] = [
    Entry(.power, "stopped", "dark", "the service does not run", .off),
    Entry(.power, "running", "steady", "the service runs", .on),
  ]

  private static let singleEntries: [Entry] = [
    Entry(
      .single, "notReady", "dark",
      "the service does not run, or has just begun; for a second: a press was refused", .off),
    Entry(.single, "ready", "steady", "a press would be taken", .on),
    Entry(
      .single, "capturing", "fast blinking, 60 ms lit and 60 ms dark",
      "a picture is on its way to the disk", busy),
    Entry(
      .single, "interrupted", "flashes of a dark light: the code of the fault light",
      "a press would be refused, and why", otherCode.pattern),
    Entry(
      .single, "readyWithFault", "dark moments of a lit light: the code of the fault light",
      "a press would be taken, but something is wrong", otherCode.inversePattern),
    Entry(
      .single, "uploadsWaitingToRetry", uploadCode,
      "a press would be taken; the server cannot be reached", isInverse: true),
    Entry(
      .single, "uploadsPaused", pausedCode,
      "a press would be taken; a technician holds the uploads back", isInverse: true),
  ]
}

extension IndicatorLanguage.CodeEntry {
  fileprivate init(_ reason: InterruptionReason, _ group: Int, _ number: Int, _ meaning: String) {
    self.init(reason: reason, code: BlinkCode(group, number), meaning: meaning)
  }
}

extension IndicatorLanguage.Entry {
  fileprivate init(
    _ light: IndicatorRole?, _ state: String, _ shown: String, _ meaning: String,
    _ pattern: IndicatorPattern
  ) {
    self.init(
      light: light, color: Self.color(of: light), state: state, shown: shown, meaning: meaning,
      code: nil, pattern: pattern)
  }

  fileprivate init(
    _ light: IndicatorRole, _ state: String, _ code: BlinkCode, _ meaning: String,
    isInverse: Bool = false
  ) {
    let pattern = isInverse ? code.inversePattern : code.pattern
    self.init(
      light: light, color: Self.color(of: light), state: state,
      shown: isInverse ? "\(code) dark moments of a lit light" : "\(code) flashes",
      meaning: meaning, code: code, pattern: pattern)
  }

  private static func color(of light: IndicatorRole?) -> String {
    switch light {
    case .ready: "green"
    case .fault: "red"
    case .upload: "blue"
    case .power: "white"
    case .single: "any color"
    case nil: "all lights together"
    }
  }
}
