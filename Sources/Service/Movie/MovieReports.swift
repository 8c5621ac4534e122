import API
import Capture
import Devices

/// The API reports of recordings.
extension MovieReport {
  init(_ status: MovieStatus, last: MovieRecord?) {
    let (state, reason): (State, InterruptionReason?) =
      switch status.state {
      case .idle: (.idle, nil)
      case .starting: (.starting, nil)
      case .recording: (.recording, nil)
      case .paused: (.paused, nil)
      case .interrupted(let reason): (.interrupted, reason)
      case .finishing: (.finishing, nil)
      }
    self.init(
      state: Word(state), reason: reason.map { Word($0) }, press: status.press,
      elapsedSeconds: status.elapsed.inMilliseconds / 1000, frames: status.frameCount,
      droppedFrames: status.droppedFrameCount, bytes: status.byteCount,
      soundLevelDecibels: status.soundLevel, soundEnd: status.soundEnd,
      recorderFailures: status.writerFailureCount,
      last: last.map { RecordingReport($0) })
  }
}

extension RecordingReport {
  init(_ record: MovieRecord) {
    switch record.outcome {
    case .refused(let error):
      self.init(
        press: record.press, outcome: Word(.refused), reason: error.code.rawValue,
        cause: error.description)
    case .stored(let movie):
      self.init(
        press: record.press, outcome: Word(.stored), reason: movie.end.word,
        cause: movie.end.error?.description,
        durationSeconds: movie.duration.inMilliseconds / 1000, frames: movie.frameCount,
        droppedFrames: movie.droppedFrameCount,
        bytes: movie.parts.reduce(0) { $0 + $1.byteCount }, items: movie.parts.compactMap(\.itemID),
        gaps: movie.gaps.map { Gap($0) },
        soundEnd: movie.parts.lazy.compactMap(\.soundEnd).first)
    }
  }
}

extension RecordingReport.Gap {
  fileprivate init(_ gap: MovieGap) {
    self.init(
      seconds: gap.beganAt.duration(to: gap.endedAt).inMilliseconds / 1000,
      reasons: gap.reasons.map { reason in
        switch reason {
        case .paused: "paused"
        case .interrupted(let reason): reason.rawValue
        case .streamEnded: "streamEnded"
        case .writerFailed(let error): error.code.rawValue
        }
      })
  }
}

extension MovieEnd {
  /// The reason's word.
  fileprivate var word: String {
    switch self {
    case .stopped: "stopped"
    case .limit(let limit): limit.rawValue
    case .tooHot: MovieError.Code.tooHot.rawValue
    case .sessionEnded: "sessionEnded"
    case .writerFailed(let error): error.code.rawValue
    }
  }

  fileprivate var error: MovieError? {
    if case .writerFailed(let error) = self { error } else { nil }
  }
}

extension APIError {
  /// Makes the error for a recording that is refused.
  init(_ error: MovieError) {
    let sentence = error.description
    self.init(
      error.code == .recorderMissing ? .unsupported : .conflict,
      "\(sentence.prefix(1).uppercased())\(sentence.dropFirst())"
        + (sentence.hasSuffix(".") ? "" : "."))
  }
}
