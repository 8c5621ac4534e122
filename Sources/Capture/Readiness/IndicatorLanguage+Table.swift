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
    ] + readyEntries + faultEntries + warningEntries + uploadEntries + powerEntries + singleEntries

  private static let readyEntries: [Entry] = [
    Entry(
      .ready, "notReady", "dark",
      "a press would be refused, or has just been, or the service does not run", .off),
    Entry(.ready, "ready", "steady", "a press would be taken", .on),
    countdownEntry(.ready),
    Entry(
      .ready, "capturing", "fast blinking, 60 ms lit and 60 ms dark",
      "a picture is on its way to the disk", busy),
  ]

  private static func countdownEntry(_ light: IndicatorRole) -> Entry {
    Entry(
      light, "countdown", "a short dark moment twice a second, 400 ms lit and 100 ms dark",
      "the page that was turned is taken by itself soon: move the page, and it is not", countdown)
  }

  private static let faultEntries: [Entry] =
    [
      Entry(.fault, "inOrder", "dark", "nothing is wrong", .off),
      Entry(
        .fault, "pressRefused", "even blinking for a second, 100 ms lit and 100 ms dark",
        "a press was refused and there is no picture of it: press again", refused),
    ]
    + InterruptionReason.allCases
    .sorted {
      ($0.facts.code.group, $0.facts.code.number) < ($1.facts.code.group, $1.facts.code.number)
    }
    .map { Entry(.fault, $0.rawValue, $0.facts.code, $0.facts.meaning) }
    + [Entry(.fault, "other", otherCode, "something else: look at the log")]

  private static let warningEntries = PageWarning.allCases.map {
    Entry(.fault, $0.rawValue, $0.shownFlashes, $0.signalMeaning, $0.pattern)
  }

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
    recordingEntry(.power, "the service runs, and a movie is being recorded"),
  ]

  private static func recordingEntry(_ light: IndicatorRole, _ meaning: String) -> Entry {
    Entry(
      light, "recording", "a short dark moment every second, 900 ms lit and 100 ms dark", meaning,
      recording)
  }

  private static let singleEntries: [Entry] = [
    Entry(
      .single, "notReady", "dark",
      "the service does not run, or has just begun; for a second: a press was refused", .off),
    Entry(.single, "ready", "steady", "a press would be taken", .on),
    countdownEntry(.single),
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
      .single, "readyWithWarning", "dark moments of a lit light: the flashes of the fault light",
      "a press would be taken; something is wrong with the picture just taken",
      PageWarning.pageCovered.inversePattern),
    Entry(
      .single, "uploadsWaitingToRetry", uploadCode,
      "a press would be taken; the server cannot be reached", isInverse: true),
    Entry(
      .single, "uploadsPaused", pausedCode,
      "a press would be taken; a technician holds the uploads back", isInverse: true),
    recordingEntry(.single, "a press would be taken, and a movie is being recorded"),
  ]
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
