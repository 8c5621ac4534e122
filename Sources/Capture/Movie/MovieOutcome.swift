package import Devices

/// The outcome of a recording.
package enum MovieOutcome: Sendable, Hashable {
  /// At least one part with a frame is stored.
  case stored(StoredMovie)
  /// No part is stored.
  case refused(MovieError)
}

/// A recording with its outcome.
package struct MovieRecord: Sendable, Hashable {
  /// The number of the recording in this run, from 1.
  package var number: Int
  /// The number of the press that started the recording; `nil` for none.
  package var press: Int64?
  /// The outcome.
  package var outcome: MovieOutcome

  package init(number: Int, press: Int64?, outcome: MovieOutcome) {
    self.number = number
    self.press = press
    self.outcome = outcome
  }
}

/// The description of a recording on stable storage.
package struct StoredMovie: Sendable, Hashable {
  /// The parts that have a frame, in order.
  package var parts: [WrittenMoviePart]
  /// The times that were not recorded, in order.
  package var gaps: [MovieGap]
  /// The number of frames that should be in the movie and are not.
  package var droppedFrameCount: Int
  /// The reason of the end.
  package var end: MovieEnd
  /// The start of the recording.
  package var beganAt: MonotonicInstant
  /// The end of the recording.
  package var endedAt: MonotonicInstant

  /// The recorded time.
  package var duration: Duration { parts.reduce(.zero) { $0 + $1.duration } }
  /// The number of frames.
  package var frameCount: Int { parts.reduce(0) { $0 + $1.frameCount } }
}

/// A time during a recording that is in none of its parts.
package struct MovieGap: Sendable, Hashable {
  /// The reason of a gap.
  package enum Reason: Sendable, Hashable {
    /// The recording was paused.
    case paused
    /// The session was interrupted.
    case interrupted(InterruptionReason)
    /// The camera's stream ended, as it does for other settings.
    case streamEnded
    /// The writer failed.
    case writerFailed(MovieError)
  }

  /// The time of the last frame before the gap, or of the recording's start.
  package var beganAt: MonotonicInstant
  /// The time of the first frame after the gap, or of the recording's end.
  package var endedAt: MonotonicInstant
  /// The reasons in the order of their beginnings, at least one.
  package var reasons: [Reason]

  /// Whether the gap has another reason than a pause.
  package var isFault: Bool { reasons.contains { $0 != .paused } }
}

/// A limit of a recording.
package enum MovieLimit: String, Sendable, Hashable {
  /// The recorded time; see ``MovieSettings/Limits/duration``.
  case duration
  /// The number of bytes; see ``MovieSettings/Limits/byteCount``.
  case byteCount
  /// The free space; see ``MovieSettings/Limits/freeByteCount``.
  case freeSpace
}

/// The reason that a recording ended.
package enum MovieEnd: Sendable, Hashable {
  /// The operator has stopped it.
  case stopped
  /// The recording has reached a limit.
  case limit(MovieLimit)
  /// The rig is too hot.
  case tooHot
  /// The session has ended.
  case sessionEnded
  /// The writer failed again and again.
  case writerFailed(MovieError)
}
