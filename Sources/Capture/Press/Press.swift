public import Devices

/// One press of the shutter, whatever became of it.
public struct Press: Sendable, Hashable {
  /// Where a press came from.
  public enum Source: String, Sendable, Hashable, Codable {
    /// The shutter button's line.
    case button
    /// A command over the API.
    case api
  }

  /// The press's number, ascending over restarts; gaps are allowed, repetitions are not.
  public var number: Int64
  /// Where it came from.
  public var source: Source
  /// The kernel's timestamp of the edge, or when the command was taken.
  public var time: MonotonicInstant
  /// How the button was pressed.
  public var gesture: Gesture
  /// The button's name; `nil` for a press that no button made.
  public var button: String?

  /// Makes a press.
  public init(
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

/// Why a press got no picture; an open set, spelled as it appears in logs and in the API.
public struct RefusalReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The reason's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a reason from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// As many captures are in flight as there are frames to lease.
  public static let tooManyCapturesInFlight = RefusalReason(rawValue: "tooManyCapturesInFlight")
  /// The session's configuration is being changed.
  public static let reconfiguring = RefusalReason(rawValue: "reconfiguring")
  /// The session has not started yet or is stopping.
  public static let sessionNotRunning = RefusalReason(rawValue: "sessionNotRunning")
  /// No frame at or after the press came in time.
  public static let noFrameInTime = RefusalReason(rawValue: "noFrameInTime")
  /// The chosen frame was overwritten before it could be leased, and so were its neighbours.
  public static let frameOverwritten = RefusalReason(rawValue: "frameOverwritten")
  /// The frame could not be encoded.
  public static let encodingFailed = RefusalReason(rawValue: "encodingFailed")
  /// The spool has no room.
  public static let storageFull = RefusalReason(rawValue: "storageFull")
  /// The spool cannot write any more; the service restarts.
  public static let storageFailed = RefusalReason(rawValue: "storageFailed")

  /// The reason that an interruption of the session gives.
  public init(_ interruption: InterruptionReason) {
    self.init(rawValue: interruption.rawValue)
  }

  /// The spelling.
  public var description: String { rawValue }
}

/// What is known of a picture that is on stable storage.
public struct StoredPhoto: Sendable, Hashable {
  /// The spool's name for it.
  public var itemID: String
  /// The file's path.
  public var path: String
  /// The file's length in bytes.
  public var byteCount: Int
  /// The SHA-256 of the file in lower-case hexadecimal digits.
  public var sha256: String
  /// The earlier picture that looks nearly the same, by its ID; `nil` when there is none.
  public var nearDuplicateOf: String?

  /// Makes the description of a stored picture.
  public init(
    itemID: String, path: String, byteCount: Int, sha256: String, nearDuplicateOf: String? = nil
  ) {
    self.itemID = itemID
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.nearDuplicateOf = nearDuplicateOf
  }
}

/// How a press ended.
public enum PressOutcome: Sendable, Hashable {
  /// The picture is on stable storage.
  case stored(StoredPhoto)
  /// There is no picture, and why.
  case refused(RefusalReason)
}
