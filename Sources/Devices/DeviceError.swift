/// What went wrong with a device, in a form that people and programs can both use.
public struct DeviceError: Error, Hashable, Codable, CustomStringConvertible {
  /// The kind of fault; an open set, spelled as it appears in logs and in the API.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device does not exist.
    public static let absent = Code(rawValue: "absent")
    /// Somebody else uses the device.
    public static let busy = Code(rawValue: "busy")
    /// The process may not open the device.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// The device cannot do what was asked.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The device did not answer in time.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The device was there and is gone.
    public static let disconnected = Code(rawValue: "disconnected")
    /// The device answered nonsense, or the same for too long.
    public static let implausible = Code(rawValue: "implausible")
    /// The device reported an error.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// There is no memory for the device's buffers.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// The device's library can only be used again by a new process.
    public static let needsNewProcess = Code(rawValue: "needsNewProcess")
    /// What the configuration says of the device cannot be.
    public static let misconfigured = Code(rawValue: "misconfigured")
  }

  /// The kind of fault.
  public let code: Code
  /// The device as the configuration or the kernel names it, for example `gpiochip0 line 17`.
  public let device: String
  /// What could not be done, a clause without the device and the cause, for example `cannot be opened`.
  public let problem: String
  /// The cause in words: the system's message for an `errno`, or the library's.
  public let cause: String?
  /// What had happened, where ``code`` only says what is to be done about it
  /// (``Code/needsNewProcess``); `nil` when nothing is known of it.
  public let underlyingCode: Code?

  /// Makes an error.
  public init(
    _ code: Code, device: String, problem: String, cause: String? = nil,
    underlyingCode: Code? = nil
  ) {
    self.code = code
    self.device = device
    self.problem = problem
    self.cause = cause
    self.underlyingCode = underlyingCode
  }

  /// One sentence: the device quoted, the problem, the cause last.
  public var description: String {
    "\"\(device)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
