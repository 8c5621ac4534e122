package import Devices

/// A press of the shutter, whatever its outcome.
package struct Press: Sendable, Hashable {
  /// The origin of a press.
  package enum Source: String, Sendable, Hashable, Codable {
    /// The shutter button's line.
    case button
    /// A command over the API.
    case api
  }

  /// The press's number, ascending across restarts; gaps are allowed, repetitions are not.
  package var number: Int64
  /// The press's origin.
  package var source: Source
  /// The kernel's timestamp of the edge, or the time at which the command was taken.
  package var time: MonotonicInstant
  /// The button's gesture.
  package var gesture: Gesture
  /// The button's name; `nil` for a press without a button.
  package var button: String?

  package init(
    number: Int64, source: Source, time: MonotonicInstant, gesture: Gesture = .single,
    button: String? = nil
  ) {
    self.number = number
    self.source = source
    self.time = time
    self.gesture = gesture
    self.button = button
  }
}

/// The reason that a press got no picture; an open set, spelled as in logs and in the API.
package struct RefusalReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The reason's spelling, in lower camel case.
  package let rawValue: String

  /// Makes a reason from its spelling.
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

  package init(
    itemID: String, path: String, byteCount: Int, sha256: String, nearDuplicateOf: String? = nil
  ) {
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
