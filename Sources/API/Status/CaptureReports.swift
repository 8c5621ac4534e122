package import Devices

/// An interruption of the capture session, or a warning of it, with its cause.
package struct InterruptionReport: Sendable, Hashable, Codable {
  /// The reason code, for example `cameraUnplugged`.
  package let reason: Word<InterruptionReason>
  /// The cause in words; `nil` when nothing more is known.
  package let cause: String?
  /// The time when the interruption began, in nanoseconds of `CLOCK_MONOTONIC`.
  package let beganNanoseconds: Int64
  /// The time of the interruption's end, in nanoseconds of `CLOCK_MONOTONIC`; `nil` before it.
  package let endedNanoseconds: Int64?
  /// Whether the interruption refuses presses, which a warning does not.
  package let refuses: Bool

  package init(
    reason: Word<InterruptionReason>, cause: String?, beganNanoseconds: Int64,
    endedNanoseconds: Int64?,
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
package struct CaptureProgressReport: Sendable, Hashable, Codable {
  /// The step of a capture.
  package enum Step: String, Sendable, Hashable, Codable, CaseIterable {
    /// The settings of the capture are fixed.
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
  package let press: Int64
  /// The step that the capture has reached.
  package let step: Step
  /// The time of the exposure's start or end, in nanoseconds of `CLOCK_MONOTONIC`.
  ///
  /// `nil` at other steps.
  package let exposureNanoseconds: Int64?
  /// The priority; only with `settingsResolved`.
  package let prioritization: Word<QualityPrioritization>?
  /// Whether the priority was lowered because presses come faster than they can be stored.
  package let isFastCapture: Bool?
  /// The wanted flash; only with `settingsResolved`, and with a lamp.
  package let flash: Word<FlashMode>?
  /// Whether the picture is taken in the lamp's light; with ``flash``.
  package let isFlashEnabled: Bool?
  /// The reason that frames are not averaged for `quality`, as far as it is known so early.
  ///
  /// An example is `heat`; only with `settingsResolved`.
  package let singleFrame: Word<SingleFrameReason>?
  /// The mean number of frames that a part of the picture is an average of.
  ///
  /// Only with `photoDelivered`; `nil` for one frame.
  package let averagedFrames: Double?
  /// The number of announced files of the capture; with `settingsResolved` and `photoDelivered`.
  ///
  /// A bracket that cannot be merged may store more files, which are not reported, or fewer.
  package let count: Int?
  /// The file's number among those of the capture, from 1; only with `photoDelivered`.
  package let index: Int?
  /// The kind of file, for example `photo` or `thumbnail`; only with `photoDelivered`.
  package let kind: String?
  /// The item in the spool; only with `photoDelivered`.
  package let itemID: String?
  /// The value `true` with `photoDelivered` if a better version follows under the same ID.
  package let isProxy: Bool?
  /// The source of the picture's angle; only with `photoDelivered`, `nil` when not known.
  package let orientationSource: Word<OrientationSource>?
  /// The findings about the page, without regions; only with `photoDelivered`.
  package let page: PageReport?
  /// The reason why there is no picture; only with `captureFinished`.
  package let reason: String?

  package init(
    press: Int64, step: Step, exposureNanoseconds: Int64? = nil,
    prioritization: Word<QualityPrioritization>? = nil, isFastCapture: Bool? = nil,
    count: Int? = nil, index: Int? = nil, kind: String? = nil,
    itemID: String? = nil, reason: String? = nil, flash: Word<FlashMode>? = nil,
    isFlashEnabled: Bool? = nil, singleFrame: Word<SingleFrameReason>? = nil,
    averagedFrames: Double? = nil,
    isProxy: Bool? = nil, orientationSource: Word<OrientationSource>? = nil, page: PageReport? = nil
  ) {
    self.orientationSource = orientationSource
    self.page = page
    self.isProxy = isProxy
    self.singleFrame = singleFrame
    self.averagedFrames = averagedFrames
    self.press = press
    self.flash = flash
    self.isFlashEnabled = isFlashEnabled
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
