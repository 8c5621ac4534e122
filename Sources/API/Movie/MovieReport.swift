package import Devices

/// The recording of a rig.
package struct MovieReport: Sendable, Hashable, Codable {
  /// The states of a recording.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// There is no recording.
    case idle
    /// A part begins as soon as a frame has come and the recorder is ready.
    case starting
    /// Frames are written.
    case recording
    /// The recording is paused.
    case paused
    /// The session is interrupted; a part begins by itself at the interruption's end.
    case interrupted
    /// The last part is being stored.
    case finishing
  }

  /// The state.
  package let state: Word<State>
  /// The reason code of the interruption; `nil` in other states.
  package let reason: Word<InterruptionReason>?
  /// The number of the press that started the recording; `nil` without a recording.
  package let press: Int64?
  /// The recorded time in seconds, without pauses and gaps.
  package let elapsedSeconds: Double
  /// The number of written frames.
  package let frames: Int
  /// The number of frames that should be in the recording and are not.
  package let droppedFrames: Int
  /// The length of the parts in bytes, as far as it is known.
  package let bytes: Int64
  /// The level of the sound in decibels below full scale; `nil` without sound.
  package let soundLevelDecibels: Double?
  /// The reason that the sound has ended and the recording goes on; `nil` while it lasts.
  package let soundEnd: String?
  /// The number of recorders that failed or were killed since the service started.
  package let recorderFailures: Int
  /// The newest recording of this run that has ended; `nil` for none.
  package let last: RecordingReport?

  package init(
    state: Word<State>, reason: Word<InterruptionReason>? = nil, press: Int64? = nil,
    elapsedSeconds: Double = 0,
    frames: Int = 0, droppedFrames: Int = 0, bytes: Int64 = 0, soundLevelDecibels: Double? = nil,
    soundEnd: String? = nil, recorderFailures: Int = 0, last: RecordingReport? = nil
  ) {
    self.state = state
    self.reason = reason
    self.press = press
    self.elapsedSeconds = finite(elapsedSeconds) ?? 0
    self.frames = frames
    self.droppedFrames = droppedFrames
    self.bytes = bytes
    self.soundLevelDecibels = finite(soundLevelDecibels)
    self.soundEnd = soundEnd
    self.recorderFailures = recorderFailures
    self.last = last
  }
}

/// The outcome of a recording.
package struct RecordingReport: Sendable, Hashable, Codable {
  /// A time during a recording that is in none of its parts.
  package struct Gap: Sendable, Hashable, Codable {
    /// The length in seconds.
    package let seconds: Double
    /// The reason codes in the order of their beginnings, for example `paused`.
    package let reasons: [String]

    package init(seconds: Double, reasons: [String]) {
      self.seconds = finite(seconds) ?? 0
      self.reasons = reasons
    }
  }

  /// The number of the press that started the recording; `nil` when it got none.
  package let press: Int64?
  /// The outcome: stored when at least one part with a frame is.
  package let outcome: Word<PressReport.Outcome>
  /// The reason code: why the recording is refused, or why it ended, for example `stopped`.
  package let reason: String
  /// The reason of a refusal or a failure in words; `nil` for any other.
  package let cause: String?
  /// The recorded time in seconds, without pauses and gaps.
  package let durationSeconds: Double
  /// The number of frames in all parts.
  package let frames: Int
  /// The number of frames that should be in the recording and are not.
  package let droppedFrames: Int
  /// The length of all parts in bytes.
  package let bytes: Int64
  /// The spool's names of the parts, in order; empty unless stored.
  package let items: [String]
  /// The times that were not recorded, in order.
  package let gaps: [Gap]
  /// The reason that the sound of a part ended before it, of the first such part; `nil` for none.
  package let soundEnd: String?

  package init(
    press: Int64?, outcome: Word<PressReport.Outcome>, reason: String, cause: String? = nil,
    durationSeconds: Double = 0, frames: Int = 0, droppedFrames: Int = 0, bytes: Int64 = 0,
    items: [String] = [], gaps: [Gap] = [], soundEnd: String? = nil
  ) {
    self.press = press
    self.outcome = outcome
    self.reason = reason
    self.cause = cause
    self.durationSeconds = finite(durationSeconds) ?? 0
    self.frames = frames
    self.droppedFrames = droppedFrames
    self.bytes = bytes
    self.items = items
    self.gaps = gaps
    self.soundEnd = soundEnd
  }
}
