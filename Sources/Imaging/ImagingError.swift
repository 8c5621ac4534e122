/// Why a picture could not be made of a frame.
public struct ImagingError: Error, Hashable, CustomStringConvertible {
  /// The kind of fault; an open set, spelled as it appears in logs and in the API.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The frame is not what its format says: too short, too narrow rows, an impossible size.
    public static let malformedFrame = Code(rawValue: "malformedFrame")
    /// The bytes are not a JPEG image that a reader could show.
    public static let malformedJPEG = Code(rawValue: "malformedJPEG")
    /// What was asked for cannot be done.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The metadata do not fit where they belong.
    public static let metadataTooLarge = Code(rawValue: "metadataTooLarge")
    /// The compressor reported an error.
    public static let encoderFailed = Code(rawValue: "encoderFailed")
    /// There is no memory for the picture.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
  }

  /// The kind of fault.
  public let code: Code
  /// What is concerned, as people would name it, for example `yuv420 frame of 1920x1080`.
  public let subject: String
  /// What is wrong, a clause without the subject and the cause, for example `is too short`.
  public let problem: String
  /// The cause in words: the numbers that contradict each other, or the library's message.
  public let cause: String?

  /// Makes an error.
  public init(_ code: Code, subject: String, problem: String, cause: String? = nil) {
    self.code = code
    self.subject = subject
    self.problem = problem
    self.cause = cause
  }

  /// One sentence: the subject quoted, the problem, the cause last.
  public var description: String {
    "\"\(subject)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
