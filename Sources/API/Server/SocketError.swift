import Devices
import Foundation

/// The reason why the API cannot listen on its socket.
package struct SocketError: Error, Hashable, CustomStringConvertible {
  /// The kind of error; an open set, spelled as it appears in logs.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    package let rawValue: String

    /// Makes a code from its spelling.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A service answers on the socket already.
    package static let inUse = Code(rawValue: "inUse")
    /// The path belongs to a file that is no socket.
    package static let notASocket = Code(rawValue: "notASocket")
    /// The socket's directory does not exist.
    package static let directoryMissing = Code(rawValue: "directoryMissing")
    /// The path is empty or longer than a Unix socket's may be.
    package static let badPath = Code(rawValue: "badPath")
    /// The group does not exist.
    package static let unknownGroup = Code(rawValue: "unknownGroup")
    /// The system refused; the cause says why.
    package static let system = Code(rawValue: "system")
  }

  /// The kind of error.
  package let code: Code
  /// The socket's path.
  package let path: String
  /// The problem and its remedy, a clause without the path and the cause.
  package let problem: String
  /// The system's message; `nil` when the problem says it all.
  package let cause: String?

  init(_ code: Code, path: String, problem: String, cause: String? = nil) {
    self.code = code
    self.path = path
    self.problem = problem
    self.cause = cause
  }

  init(_ code: Code, path: String, problem: String, errno number: Int32) {
    self.init(code, path: path, problem: problem, cause: SystemError(number).description)
  }

  /// A sentence with the path in quotes, the problem, and the cause last.
  package var description: String {
    "the API's socket \"\(path)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
