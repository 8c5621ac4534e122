/// The fault of a device, in a form for people and programs.
package struct DeviceError: Error, Hashable, Codable, CustomStringConvertible {
  /// The kind of fault; an open set, spelled as it appears in logs and in the API.
  package struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code's spelling, in lower camel case.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The device does not exist.
    package static let absent = Code(rawValue: "absent")
    /// Another program uses the device.
    package static let busy = Code(rawValue: "busy")
    /// The process lacks the permission to open the device.
    package static let permissionDenied = Code(rawValue: "permissionDenied")
    /// The device's library is not installed, or not one that this program can load.
    package static let libraryUnknown = Code(rawValue: "libraryUnknown")
    /// The device does not support the request.
    package static let unsupported = Code(rawValue: "unsupported")
    /// The device did not answer in time.
    package static let timedOut = Code(rawValue: "timedOut")
    /// The device was present and is gone.
    package static let disconnected = Code(rawValue: "disconnected")
    /// The device gave nonsense, or the same value for too long.
    package static let implausible = Code(rawValue: "implausible")
    /// The device reported an error.
    package static let inputOutput = Code(rawValue: "inputOutput")
    /// There is no memory for the device's buffers.
    package static let outOfMemory = Code(rawValue: "outOfMemory")
    /// The device's library can only be used again by a new process.
    package static let needsNewProcess = Code(rawValue: "needsNewProcess")
    /// The configuration of the device is impossible.
    package static let misconfigured = Code(rawValue: "misconfigured")
  }

  /// The kind of fault.
  package let code: Code
  /// The device as the configuration or the kernel names it, for example `gpiochip0 line 17`.
  package let device: String
  /// The failed action, a clause without the device and the cause, for example `cannot be opened`.
  package let problem: String
  /// The cause in words: the system's message for an `errno`, or the library's.
  package let cause: String?
  /// The original code, where ``code`` only names the remedy (``Code/needsNewProcess``).
  ///
  /// The value is `nil` when the original code is unknown.
  package let underlyingCode: Code?

  package init(
    _ code: Code, device: String, problem: String, cause: String? = nil,
    underlyingCode: Code? = nil
  ) {
    self.code = code
    self.device = device
    self.problem = problem
    self.cause = cause
    self.underlyingCode = underlyingCode
  }

  /// The error in one sentence: the device quoted, the problem, the cause last.
  package var description: String {
    "\"\(device)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
