/// One press of the shutter and what became of it.
public struct PressReport: Sendable, Hashable, Codable {
  /// The press's number, ascending over restarts; gaps are allowed, repetitions are not.
  public let number: Int64
  /// Where it came from: `button` or `api`.
  public let source: String
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
  /// The value of EXIF's Orientation in the picture: 1, 3, 6 or 8.
  public let exifOrientation: Int?
  /// The picture's path on the rig; `nil` unless stored.
  public let path: String?
  /// The spool's name for the picture; `nil` unless stored.
  public let itemID: String?
  /// The SHA-256 of the picture's file, in lower-case hexadecimal digits; `nil` unless stored.
  public let sha256: String?
  /// The length of the picture's file in bytes; `nil` unless stored.
  public let bytes: Int?
  /// The ID of an earlier picture that looks nearly the same; `nil` when there is none.
  public let nearDuplicateOf: String?
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
    number: Int64, source: String, outcome: Outcome, reason: String? = nil, frame: UInt64? = nil,
    selectionErrorMilliseconds: Double? = nil, frameIntervalMilliseconds: Double? = nil,
    pressToFrameMilliseconds: Double? = nil,
    pressToStoredMilliseconds: Double? = nil, exifOrientation: Int? = nil, path: String? = nil,
    itemID: String? = nil, sha256: String? = nil, bytes: Int? = nil,
    nearDuplicateOf: String? = nil, receipt: ReceiptReport? = nil
  ) {
    self.number = number
    self.source = source
    self.outcome = outcome
    self.reason = reason
    self.frame = frame
    self.selectionErrorMilliseconds = finite(selectionErrorMilliseconds)
    self.frameIntervalMilliseconds = finite(frameIntervalMilliseconds)
    self.pressToFrameMilliseconds = finite(pressToFrameMilliseconds)
    self.pressToStoredMilliseconds = finite(pressToStoredMilliseconds)
    self.exifOrientation = exifOrientation
    self.path = path
    self.itemID = itemID
    self.sha256 = sha256
    self.bytes = bytes
    self.nearDuplicateOf = nearDuplicateOf
    self.receipt = receipt
  }
}

/// The last presses, the newest first: the answer to `GET /v1/presses`.
public struct PressList: Sendable, Hashable, Codable {
  /// The presses, the newest first.
  public let presses: [PressReport]

  /// Makes a list.
  public init(presses: [PressReport]) {
    self.presses = presses
  }
}
