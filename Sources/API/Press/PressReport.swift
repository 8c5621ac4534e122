/// One press of the shutter and what became of it.
public struct PressReport: Sendable, Hashable, Codable {
  /// The press's number, ascending over restarts; gaps are allowed, repetitions are not.
  public let number: Int64
  /// Where it came from: `button` or `api`.
  public let source: String
  /// How the button was pressed: `single`, `double`, `long` or `hold`; `nil` when unknown.
  public let gesture: String?
  /// The button's name; `nil` for a press that no button made.
  public let button: String?
  /// When it was pressed, ISO 8601 in UTC with milliseconds, as well as it is known now.
  public let time: String?
  /// How far ``time`` can be trusted: `synchronised`, `estimated` or `unknown`.
  public let timeTrust: String?
  /// The kernel's ID of the boot in which it was pressed.
  public let bootID: String?
  /// The kernel's timestamp of the press on that boot's `CLOCK_MONOTONIC`, in nanoseconds.
  public let monotonicNanoseconds: Int64?
  /// The readiness when it was pressed, as ``ReadinessReport/state`` spells it.
  public let readiness: String?
  /// How it ended, or that it has not ended yet.
  public let outcome: Outcome
  /// The reason code of a refusal, for example `thermalPressure`; `nil` when not refused.
  public let reason: String?
  /// The sequence number of the frame that was taken; `nil` before it is chosen.
  public let frame: UInt64?
  /// From the press to the middle of the frame's exposure, in milliseconds, negative when earlier.
  public let selectionErrorMilliseconds: Double?
  /// The time from one frame to the next around the press, in milliseconds.
  public let frameIntervalMilliseconds: Double?
  /// From the press until the frame was in hand, in milliseconds.
  public let pressToFrameMilliseconds: Double?
  /// From the press until the picture was on stable storage, in milliseconds.
  public let pressToStoredMilliseconds: Double?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  public let captureAngle: Int?
  /// The value of EXIF's Orientation in the picture: 1, 3, 6 or 8.
  public let exifOrientation: Int?
  /// The picture's path on the rig; `nil` unless stored.
  public let path: String?
  /// The spool's name for the picture; `nil` unless stored.
  public let itemID: String?
  /// The IDs of all its pictures when there are several.
  public let itemIDs: [String]?
  /// Where the picture is on its way now, as ``SpoolItemReport/state`` spells it, for example
  /// `quarantined`; `nil` when it was not looked up or is forgotten.
  public let pictureState: String?
  /// The SHA-256 of the picture's file, in lower-case hexadecimal digits; `nil` unless stored.
  public let sha256: String?
  /// The length of the picture's file in bytes; `nil` unless stored.
  public let bytes: Int?
  /// The ID of an earlier picture that looks nearly the same; `nil` when there is none.
  public let nearDuplicateOf: String?
  /// The camera's automatics that still looked for the right value when the picture was taken:
  /// `exposure`, `whiteBalance`, `focus`; `nil` when none did.
  public let adjusting: [String]?
  /// What the first of the targets acknowledged; `nil` until all have.
  public let receipt: ReceiptReport?

  /// How a press ended.
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// It has not ended yet.
    case pending
    /// The picture is on stable storage.
    case stored
    /// There is no picture; ``PressReport/reason`` says why.
    case refused
  }

  /// Makes a report.
  public init(
    number: Int64, source: String, gesture: String? = nil, button: String? = nil,
    time: String? = nil, timeTrust: String? = nil, bootID: String? = nil,
    monotonicNanoseconds: Int64? = nil, readiness: String? = nil, outcome: Outcome,
    reason: String? = nil, frame: UInt64? = nil,
    selectionErrorMilliseconds: Double? = nil, frameIntervalMilliseconds: Double? = nil,
    pressToFrameMilliseconds: Double? = nil,
    pressToStoredMilliseconds: Double? = nil, captureAngle: Int? = nil,
    exifOrientation: Int? = nil, path: String? = nil, itemID: String? = nil,
    itemIDs: [String]? = nil, pictureState: String? = nil, sha256: String? = nil, bytes: Int? = nil,
    nearDuplicateOf: String? = nil, adjusting: [String]? = nil, receipt: ReceiptReport? = nil
  ) {
    self.number = number
    self.source = source
    self.gesture = gesture
    self.button = button
    self.time = time
    self.timeTrust = timeTrust
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.readiness = readiness
    self.outcome = outcome
    self.reason = reason
    self.frame = frame
    self.selectionErrorMilliseconds = finite(selectionErrorMilliseconds)
    self.frameIntervalMilliseconds = finite(frameIntervalMilliseconds)
    self.pressToFrameMilliseconds = finite(pressToFrameMilliseconds)
    self.pressToStoredMilliseconds = finite(pressToStoredMilliseconds)
    self.captureAngle = captureAngle
    self.exifOrientation = exifOrientation
    self.path = path
    self.itemID = itemID
    self.itemIDs = itemIDs
    self.pictureState = pictureState
    self.sha256 = sha256
    self.bytes = bytes
    self.nearDuplicateOf = nearDuplicateOf
    self.adjusting = adjusting
    self.receipt = receipt
  }
}
