package import Devices

/// A press of the shutter and its outcome.
package struct PressReport: Sendable, Hashable, Codable {
  /// The press's number, ascending over restarts; gaps are allowed, repetitions are not.
  package let number: Int64
  /// The source of the press; `handsFree` stands for a page that was turned.
  package let source: Word<PressSource>
  /// The gesture of the press; `nil` when unknown.
  package let gesture: Word<Gesture>?
  /// The button's name; `nil` for a press that no button made.
  package let button: String?
  /// The wanted bracket, for example `ev=-2,0,2`; `nil` for a single picture.
  package let bracket: String?
  /// The best known time of the press, ISO 8601 in UTC with milliseconds.
  package let time: String?
  /// The trust in ``time``.
  package let timeTrust: Word<WallTrust>?
  /// The kernel's ID of the boot of the press.
  package let bootID: String?
  /// The kernel's timestamp of the press on its boot's `CLOCK_MONOTONIC`, in nanoseconds.
  package let monotonicNanoseconds: Int64?
  /// The readiness at the press.
  package let readiness: Word<CaptureReadiness>?
  /// The outcome of the press.
  package let outcome: Outcome
  /// The reason code of a refusal, for example `thermalPressure`; `nil` when not refused.
  package let reason: String?
  /// The driver's number of the chosen frame; `nil` before the choice.
  package let frame: UInt64?
  /// The time from the press to the middle of the frame's exposure, in milliseconds.
  ///
  /// A negative time means that the exposure was earlier. A press refused with `noFrameInTime` has
  /// the time to its nearest frame, which shows another moment.
  package let selectionErrorMilliseconds: Double?
  /// The time from one frame to the next around the press, in milliseconds.
  package let frameIntervalMilliseconds: Double?
  /// The time from the press until the frame was in hand, in milliseconds.
  package let pressToFrameMilliseconds: Double?
  /// The time from the press until the picture was on stable storage, in milliseconds.
  package let pressToStoredMilliseconds: Double?
  /// The clockwise angle that turns the picture upright: 0, 90, 180 or 270.
  package let captureAngle: Int?
  /// The value of EXIF's Orientation in the picture: 1, 3, 6 or 8.
  package let exifOrientation: Int?
  /// The source of the angle; `nil` when not known.
  package let orientationSource: Word<OrientationSource>?
  /// The picture's path on the rig; `nil` unless stored.
  package let path: String?
  /// The spool's name for the picture; `nil` unless stored.
  package let itemID: String?
  /// The IDs of all pictures of the press when there are several.
  package let itemIDs: [String]?
  /// The state of the picture now; `nil` when the state was not looked up or is forgotten.
  package let pictureState: Word<SpoolItemReport.State>?
  /// The SHA-256 of the picture's file, in lower-case hexadecimal digits; `nil` unless stored.
  package let sha256: String?
  /// The length of the picture's file in bytes; `nil` unless stored.
  package let bytes: Int?
  /// The ID of an earlier picture that looks nearly the same; `nil` when there is none.
  package let nearDuplicateOf: String?
  /// The camera's automatics that were still adjusting when the picture was taken.
  ///
  /// `nil` when none was adjusting.
  package let adjusting: [Word<CameraAdjustment>]?
  /// The wanted flash; `nil` without a lamp and without a frame.
  package let flash: Word<FlashMode>?
  /// Whether the picture was exposed in the lamp's light; `nil` where ``flash`` is.
  ///
  /// A failed lamp gives no light, although the flash was wanted.
  package let isFlashFired: Bool?
  /// The mean number of frames that a part of the picture is an average of; `nil` for one frame.
  ///
  /// Pictures with the priority `quality` are averages.
  package let averagedFrames: Double?
  /// The reason that a picture with the priority `quality` is no average, for example `heat`.
  package let singleFrame: Word<SingleFrameReason>?
  /// The number of frames that the picture was merged of; `nil` for a picture of a single frame.
  package let mergedFrames: Int?
  /// The reason that a bracket is stored unmerged although merging is wanted, for example `heat`.
  package let unmerged: Word<UnmergedReason>?
  /// The findings about the page; `nil` when the picture was not read.
  package let page: PageReport?
  /// The value `true` when parts of the picture were lost on the way from the camera.
  package let isDamaged: Bool?
  /// The receipt of the first target; `nil` until all targets have acknowledged the picture.
  package let receipt: ReceiptReport?

  /// The outcome of a press.
  package enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The press has not ended yet.
    case pending
    /// The picture is on stable storage.
    case stored
    /// There is no picture; ``PressReport/reason`` says why.
    case refused
  }

  package init(
    number: Int64, source: Word<PressSource>, gesture: Word<Gesture>? = nil,
    button: String? = nil, time: String? = nil, timeTrust: Word<WallTrust>? = nil,
    bootID: String? = nil, monotonicNanoseconds: Int64? = nil,
    readiness: Word<CaptureReadiness>? = nil, outcome: Outcome,
    reason: String? = nil, frame: UInt64? = nil,
    selectionErrorMilliseconds: Double? = nil, frameIntervalMilliseconds: Double? = nil,
    pressToFrameMilliseconds: Double? = nil,
    pressToStoredMilliseconds: Double? = nil, captureAngle: Int? = nil,
    exifOrientation: Int? = nil, path: String? = nil, itemID: String? = nil,
    itemIDs: [String]? = nil, pictureState: Word<SpoolItemReport.State>? = nil,
    sha256: String? = nil, bytes: Int? = nil,
    nearDuplicateOf: String? = nil, adjusting: [Word<CameraAdjustment>]? = nil,
    receipt: ReceiptReport? = nil,
    flash: Word<FlashMode>? = nil, isFlashFired: Bool? = nil, averagedFrames: Double? = nil,
    singleFrame: Word<SingleFrameReason>? = nil, mergedFrames: Int? = nil,
    unmerged: Word<UnmergedReason>? = nil,
    isDamaged: Bool? = nil, orientationSource: Word<OrientationSource>? = nil,
    page: PageReport? = nil, bracket: String? = nil
  ) {
    self.bracket = bracket
    self.orientationSource = orientationSource
    self.page = page
    self.mergedFrames = mergedFrames
    self.unmerged = unmerged
    self.isDamaged = isDamaged
    self.averagedFrames = finite(averagedFrames)
    self.singleFrame = singleFrame
    self.flash = flash
    self.isFlashFired = isFlashFired
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
