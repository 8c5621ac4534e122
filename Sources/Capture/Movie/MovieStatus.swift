package import Devices

/// The status of a session's recording.
package struct MovieStatus: Sendable, Hashable {
  /// The state of a recording.
  package enum State: Sendable, Hashable {
    /// There is no recording.
    case idle
    /// A part begins as soon as a frame has come and the writer is ready.
    case starting
    /// Frames are written.
    case recording
    /// The operator has paused the recording.
    case paused
    /// The session is interrupted; a part begins by itself at the interruption's end.
    case interrupted(InterruptionReason)
    /// The last part is being closed.
    case finishing
  }

  /// The state.
  package var state = State.idle
  /// The number of the recording in this run, from 1; 0 without a recording.
  package var number = 0
  /// The number of the press that started the recording; `nil` for none.
  package var press: Int64?
  /// The recorded time, without pauses and gaps.
  package var elapsed = Duration.zero
  /// The number of written frames.
  package var frameCount = 0
  /// The number of frames that should be in the movie and are not.
  package var droppedFrameCount = 0
  /// The number of those frames whose part was written and could not be stored.
  package var lostFrameCount = 0
  /// The length of the parts in bytes, as far as the writer has told.
  package var byteCount: Int64 = 0
  /// The level of the sound in decibels below full scale, 0 or less; `nil` when it is unknown.
  package var soundLevel: Double?
  /// The reason that the sound of the open part has ended; `nil` while it goes on or without sound.
  package var soundEnd: String?
  /// The number of parts in this run whose writer failed.
  package var writerFailureCount = 0

  /// Makes the status without a recording.
  package init() {}
}

/// An event of a session's recordings.
package enum MovieEvent: Sendable, Hashable {
  /// The state changed, or frames were dropped.
  case status(MovieStatus)
  /// A recording has its outcome.
  case finished(MovieRecord)
}
