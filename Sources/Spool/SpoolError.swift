/// What the spool could not do, in a form that people and programs can both use.
public struct SpoolError: Error, Hashable, CustomStringConvertible {
  /// The kind of fault; an open set, spelled as it appears in logs and in the API.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no room: the file system, the reserve or the byte limit; the spool stays usable.
    public static let full = Code(rawValue: "full")
    /// Stable storage failed; nothing more is stored until the service has restarted.
    public static let failed = Code(rawValue: "failed")
    /// The database contradicts itself; nothing more is stored until the service has restarted, which
    /// rebuilds it from the files.
    public static let indexDamaged = Code(rawValue: "indexDamaged")
    /// Another process, or another spool of this process, uses the directory.
    public static let locked = Code(rawValue: "locked")
    /// A newer version wrote the directory; it is left as it is.
    public static let newerSchema = Code(rawValue: "newerSchema")
    /// The directory cannot be used as a spool.
    public static let unusable = Code(rawValue: "unusable")
    /// The configuration or an argument cannot be.
    public static let invalid = Code(rawValue: "invalid")
    /// There is no such item, or it has no such delivery.
    public static let unknownItem = Code(rawValue: "unknownItem")
    /// The item is not waiting for this delivery.
    public static let notWaiting = Code(rawValue: "notWaiting")
    /// The process lacks descriptors or memory; nothing was stored and the spool stays usable.
    public static let shortOfResources = Code(rawValue: "shortOfResources")
    /// The medium does not give a picture back at the moment; it stays in the queue.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The spool has been closed.
    public static let closed = Code(rawValue: "closed")
  }

  /// The kind of fault.
  public let code: Code
  /// The path, the item or the key that it is about.
  public let object: String
  /// What could not be done, a clause without the object and the cause.
  public let problem: String
  /// The cause in words: the system's message for an `errno`, or SQLite's.
  public let cause: String?

  /// Makes an error.
  public init(_ code: Code, _ object: String, _ problem: String, cause: String? = nil) {
    self.code = code
    self.object = object
    self.problem = problem
    self.cause = cause
  }

  /// Whether every later call that writes fails too, until the service has restarted.
  public var isPersistent: Bool { code == .failed || code == .indexDamaged }

  /// One sentence: the object quoted, the problem, the cause, and what happens next.
  public var description: String {
    "\"\(object)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
      + (isPersistent ? "; nothing more is stored until the service has restarted" : "")
  }
}

extension SpoolError {
  /// The error that a failed system call of the write path means.
  ///
  /// A lack of room or of descriptors is refused and passes. Everything else, a failed `fsync`
  /// above all, leaves it unknown what is on the medium: the kernel marks the pages clean, a second
  /// `fsync` would succeed and prove nothing.
  init(writing error: SystemError) {
    let code: Code =
      switch error.kind {
      case .noRoom where error.call != .sync: .full
      case .noResources where error.call != .sync: .shortOfResources
      default: .failed
      }
    self.init(code, error.path, error.call.problem, cause: error.message)
  }
}
