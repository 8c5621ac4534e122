/// An interruption of the capture session, or a warning of it, with its cause.
public struct InterruptionReport: Sendable, Hashable, Codable {
  /// The reason code, for example `cameraUnplugged`.
  public let reason: String
  /// The cause in words; `nil` when nothing more is known.
  public let cause: String?
  /// When it began, in nanoseconds of `CLOCK_MONOTONIC`.
  public let beganNanoseconds: Int64
  /// When it ended, in nanoseconds of `CLOCK_MONOTONIC`; `nil` while it lasts.
  public let endedNanoseconds: Int64?
  /// Whether presses are refused while it lasts; a warning refuses none.
  public let refuses: Bool

  /// Makes a report.
  public init(
    reason: String, cause: String?, beganNanoseconds: Int64, endedNanoseconds: Int64?,
    refuses: Bool = true
  ) {
    self.refuses = refuses
    self.reason = reason
    self.cause = cause
    self.beganNanoseconds = beganNanoseconds
    self.endedNanoseconds = endedNanoseconds
  }
}

/// A step of one capture; the steps of a capture come in the order of ``Step``'s cases.
public struct CaptureProgressReport: Sendable, Hashable, Codable {
  /// How far the capture is.
  public enum Step: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is fixed what the capture will give.
    case settingsResolved
    /// The exposure began.
    case exposureBegan
    /// The exposure ended.
    case exposureEnded
    /// A file is on stable storage.
    case photoDelivered
    /// The capture is over.
    case captureFinished
  }

  /// The press's number.
  public let press: Int64
  /// How far it is.
  public let step: Step
  /// When the exposure began or ended, in nanoseconds of `CLOCK_MONOTONIC`; `nil` at other steps.
  public let exposureNanoseconds: Int64?
  /// What counts more: `speed`, `balanced` or `quality`; only with `settingsResolved`.
  public let prioritization: String?
  /// Whether that was lowered because presses come faster than they can be stored.
  public let isFastCapture: Bool?
  /// How many files the capture gives; with `settingsResolved` and `photoDelivered`.
  public let count: Int?
  /// Which of them this is, from 1; only with `photoDelivered`.
  public let index: Int?
  /// What the file is, for example `photo` or `thumbnail`; only with `photoDelivered`.
  public let kind: String?
  /// The item in the spool; only with `photoDelivered`.
  public let itemID: String?
  /// Why there is no picture; only with `captureFinished`.
  public let reason: String?

  /// Makes a report of a step.
  public init(
    press: Int64, step: Step, exposureNanoseconds: Int64? = nil, prioritization: String? = nil,
    isFastCapture: Bool? = nil, count: Int? = nil, index: Int? = nil, kind: String? = nil,
    itemID: String? = nil, reason: String? = nil
  ) {
    self.press = press
    self.step = step
    self.exposureNanoseconds = exposureNanoseconds
    self.prioritization = prioritization
    self.isFastCapture = isFastCapture
    self.count = count
    self.index = index
    self.kind = kind
    self.itemID = itemID
    self.reason = reason
  }
}
