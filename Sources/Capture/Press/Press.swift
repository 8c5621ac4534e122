package import Devices

/// A press of the shutter, whatever its outcome.
package struct Press: Sendable, Hashable {
  /// The press's number, ascending across restarts; gaps are allowed, repetitions are not.
  package var number: Int64
  /// The press's origin.
  package var source: PressSource
  /// The kernel's timestamp of the edge, or the time at which the command was taken.
  package var time: MonotonicInstant
  /// The button's gesture.
  package var gesture = Gesture.single
  /// The button's name; `nil` for a press without a button.
  package var button: String?
}

/// The reason that a press got no picture; an open set, spelled as in logs and in the API.
package struct RefusalReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The reason's spelling, in lower camel case.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The number of captures in flight equals the number of frames to lease.
  package static let tooManyCapturesInFlight = RefusalReason(rawValue: "tooManyCapturesInFlight")
  /// The session's configuration is being changed.
  package static let reconfiguring = RefusalReason(rawValue: "reconfiguring")
  /// The session has not started yet or is stopping.
  package static let sessionNotRunning = RefusalReason(rawValue: "sessionNotRunning")
  /// No frame at or after the press arrived in time.
  package static let noFrameInTime = RefusalReason(rawValue: "noFrameInTime")
  /// The chosen frame was overwritten before it could be leased, and so were its neighbors.
  package static let frameOverwritten = RefusalReason(rawValue: "frameOverwritten")
  /// Another press takes a bracket, for which the camera's controls are changed.
  package static let bracketInProgress = RefusalReason(rawValue: "bracketInProgress")
  /// The camera cannot take the bracket, or does not report what a bracket depends on.
  package static let bracketNotSupported = RefusalReason(rawValue: "bracketNotSupported")
  /// A step of the bracket is beyond the camera's limits.
  package static let bracketOutOfRange = RefusalReason(rawValue: "bracketOutOfRange")
  /// No frame was exposed as a step of the bracket wants.
  package static let bracketNotExposed = RefusalReason(rawValue: "bracketNotExposed")
  /// The press asks for a flash, and the rig has no lamp.
  package static let noLamp = RefusalReason(rawValue: "noLamp")
  /// The press asks for no flash, and the lamp is lit as long as the session runs.
  package static let lampStaysLit = RefusalReason(rawValue: "lampStaysLit")
  /// The frame could not be encoded.
  package static let encodingFailed = RefusalReason(rawValue: "encodingFailed")
  /// The spool has no room.
  package static let storageFull = RefusalReason(rawValue: "storageFull")
  /// The spool cannot write any more; the service restarts.
  package static let storageFailed = RefusalReason(rawValue: "storageFailed")

  /// Makes the reason that matches an interruption of the session.
  package init(_ interruption: InterruptionReason) {
    self.init(rawValue: interruption.rawValue)
  }

  /// The spelling.
  package var description: String { rawValue }
}

/// The description of a picture on stable storage.
package struct StoredPhoto: Sendable, Hashable {
  /// The picture's ID in the spool.
  package var itemID: String
  /// The file's path.
  package var path: String
  /// The file's length in bytes.
  package var byteCount: Int
  /// The SHA-256 of the file in lower-case hexadecimal digits.
  package var sha256: String
  /// The ID of an earlier picture that looks nearly the same; `nil` when there is none.
  package var nearDuplicateOf: String?
  /// The IDs of the other pictures of the press's bracket, in order; empty without a bracket.
  package var companionIDs: [String] = []
  /// The mean number of frames that a part of the picture is an average of; `nil` for one frame.
  package var averagedFrames: Double?
  /// The reason that a picture of *quality* is no average; `nil` otherwise.
  package var singleFrame: SingleFrameReason?
  /// The number of frames that the picture was merged of; `nil` for a picture of a single frame.
  package var mergedFrames: Int?
  /// The reason that a bracket was stored unmerged although merging is wanted; `nil` otherwise.
  package var unmerged: UnmergedReason?
  /// The clockwise angle that turns the picture upright; `nil` for the press's own.
  package var captureAngle: Int?
  /// The source of the angle; `nil` for the press's own.
  package var orientationSource: OrientationSource?
  /// The findings about the page; `nil` for a page that was not read.
  package var page: PageFindings?
  /// Whether the picture lacks parts that its frame lost on the way from the camera.
  package var isDamaged = false

  package init(
    itemID: String, path: String, byteCount: Int, sha256: String, nearDuplicateOf: String? = nil,
    averagedFrames: Double? = nil, singleFrame: SingleFrameReason? = nil
  ) {
    self.averagedFrames = averagedFrames
    self.singleFrame = singleFrame
    self.itemID = itemID
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.nearDuplicateOf = nearDuplicateOf
  }
}

/// The outcome of a press.
package enum PressOutcome: Sendable, Hashable {
  /// The picture is on stable storage.
  case stored(StoredPhoto)
  /// There is no picture, for this reason.
  case refused(RefusalReason)
}
