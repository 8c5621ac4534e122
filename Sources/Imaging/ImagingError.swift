/// A failure to make a picture of a frame.
package struct ImagingError: Error, Hashable, CustomStringConvertible {
  /// The kind of fault, spelled as it appears in logs and in the API.
  package enum Code: String, Sendable {
    /// The frame contradicts its format: it is too short, or has narrow rows or an impossible size.
    case malformedFrame
    /// The bytes are not a JPEG image that a reader could show.
    case malformedJPEG
    /// The request is not supported.
    case unsupported
    /// The metadata do not fit into their segment.
    case metadataTooLarge
    /// The compressor reported an error.
    case encoderFailed
    /// There is no memory for the picture.
    case outOfMemory
  }

  /// The kind of fault.
  package let code: Code
  /// The object concerned, as people would name it, for example `yuv420 frame of 1920x1080`.
  package let subject: String
  /// The problem, a clause without the subject and the cause, for example `is too short`.
  package let problem: String
  /// The cause in words: the numbers that contradict each other, or the library's message.
  package let cause: String?

  package init(_ code: Code, subject: String, problem: String, cause: String? = nil) {
    self.code = code
    self.subject = subject
    self.problem = problem
    self.cause = cause
  }

  /// The error in one sentence: the quoted subject, the problem and the cause.
  package var description: String {
    "\"\(subject)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
