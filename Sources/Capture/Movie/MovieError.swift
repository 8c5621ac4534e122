package import Devices

/// The reason that a recording does not begin, or that a part of it cannot be written.
package struct MovieError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error; an open set, spelled as in logs and in the API.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Makes the code that matches an interruption of the session.
    package init(_ interruption: InterruptionReason) { self.init(rawValue: interruption.rawValue) }

    /// Another recording has not ended.
    package static let alreadyRecording = Code(rawValue: "alreadyRecording")
    /// There is no recording.
    package static let notRecording = Code(rawValue: "notRecording")
    /// The settings are impossible.
    package static let impossibleSettings = Code(rawValue: "impossibleSettings")
    /// The session does not run.
    package static let sessionNotRunning = Code(rawValue: "sessionNotRunning")
    /// The session gives no frames for movies.
    package static let noFrames = Code(rawValue: "noFrames")
    /// The rig is too hot.
    package static let tooHot = Code(rawValue: "tooHot")
    /// The recording ended before its first frame was written.
    package static let nothingRecorded = Code(rawValue: "nothingRecorded")
    /// The program that records is not installed.
    package static let recorderMissing = Code(rawValue: "recorderMissing")
    /// There is no encoder for the frames.
    package static let unsupported = Code(rawValue: "unsupported")
    /// The file cannot be written.
    package static let storage = Code(rawValue: "storage")
    /// The writer has ended, or it does not answer.
    package static let writerFailed = Code(rawValue: "writerFailed")
  }

  /// The kind of error.
  package let code: Code
  /// The consequence for the movie, a clause without subject, for example `cannot begin`.
  package let problem: String
  /// The cause in words.
  package let cause: String

  package init(_ code: Code, problem: String, cause: String) {
    self.code = code
    self.problem = problem
    self.cause = cause
  }

  /// The error in one sentence: the consequence, then the cause.
  package var description: String { "the movie \(problem): \(cause)" }

  /// Returns the error of a recording that does not begin.
  static func refused(_ code: Code, _ cause: String) -> MovieError {
    MovieError(code, problem: "cannot begin", cause: cause)
  }

  /// Returns the error of impossible settings.
  static func impossible(_ cause: String) -> MovieError { refused(.impossibleSettings, cause) }
}
