import Foundation

/// Why the API cannot listen on its socket.
public struct SocketError: Error, Hashable, CustomStringConvertible {
  /// The kind of error; an open set, spelled as it appears in logs.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Somebody answers on the socket already.
    public static let inUse = Code(rawValue: "inUse")
    /// Something that is not a socket has the path.
    public static let notASocket = Code(rawValue: "notASocket")
    /// The socket's directory does not exist.
    public static let directoryMissing = Code(rawValue: "directoryMissing")
    /// The path is empty or longer than a Unix socket's may be.
    public static let badPath = Code(rawValue: "badPath")
    /// There is no such group.
    public static let unknownGroup = Code(rawValue: "unknownGroup")
    /// The system refused; the cause says why.
    public static let system = Code(rawValue: "system")
  }

  /// The kind of error.
  public let code: Code
  /// The socket's path.
  public let path: String
  /// What is wrong and what to do, a clause without the path and the cause.
  public let problem: String
  /// The system's message; `nil` when the problem says it all.
  public let cause: String?

  init(_ code: Code, path: String, problem: String, cause: String? = nil) {
    self.code = code
    self.path = path
    self.problem = problem
    self.cause = cause
  }

  init(_ code: Code, path: String, problem: String, errno number: Int32) {
    self.init(code, path: path, problem: problem, cause: String(cString: strerror(number)))
  }

  /// One sentence: the path quoted, the problem, the cause last.
  public var description: String {
    "the API's socket \"\(path)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
