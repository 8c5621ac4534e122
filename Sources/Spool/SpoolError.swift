/// A failure of the spool, in a form that people and programs can both use.
package struct SpoolError: Error, Hashable, CustomStringConvertible {
  /// The kind of fault, spelled as it appears in logs and in the API.
  package enum Code: String, Sendable {
    /// There is no room: the file system, the reserve or the byte limit; the spool stays usable.
    case full
    /// Stable storage failed; nothing more is stored before a restart of the service.
    case failed
    /// The database contradicts itself; nothing more is stored before a restart, which rebuilds it.
    case indexDamaged
    /// Another process, or another spool of this process, uses the directory.
    case locked
    /// A newer version wrote the directory; it is left as it is.
    case newerSchema
    /// The directory cannot be used as a spool.
    case unusable
    /// The configuration or an argument is invalid.
    case invalid
    /// There is no such item, or the item has no such delivery.
    case unknownItem
    /// The item is not waiting for this delivery.
    case notWaiting
    /// The process lacks descriptors or memory; nothing was stored and the spool stays usable.
    case shortOfResources
    /// The medium cannot read a picture at the moment; the picture stays in the queue.
    ///
    /// A file to store that cannot be read stays where it is. So does a final picture that cannot
    /// be moved to its place, which is moved later.
    case unreadable
    /// The spool has been closed.
    case closed
  }

  /// The kind of fault.
  package let code: Code
  /// The path, the item or the key concerned.
  package let object: String
  /// The problem, a clause without the object and the cause.
  package let problem: String
  /// The cause in words: the system's message for an `errno`, or SQLite's.
  package let cause: String?

  package init(_ code: Code, _ object: String, _ problem: String, cause: String? = nil) {
    self.code = code
    self.object = object
    self.problem = problem
    self.cause = cause
  }

  /// Whether every later call that writes fails too, until the service restarts.
  package var isPersistent: Bool { code == .failed || code == .indexDamaged }

  /// The error in one sentence: the quoted object, the problem, the cause and the consequence.
  package var description: String {
    "\"\(object)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
      + (isPersistent ? "; nothing more is stored until the service has restarted" : "")
  }
}

extension SpoolError {
  /// Makes the error for a failed system call of the write path.
  ///
  /// A lack of room or of descriptors causes a refusal and passes. After every other failure, above
  /// all a failed `fsync`, the content of the medium is unknown. The kernel marks the pages clean,
  /// so a second `fsync` would succeed and prove nothing.
  init(writing error: FileSystemError) {
    let code: Code =
      switch error.kind {
      case .noRoom where error.call != .sync: .full
      case .noResources where error.call != .sync: .shortOfResources
      default: .failed
      }
    self.init(code, error.path, error.call.problem, cause: error.message)
  }
  /// Makes the error for a failed system call on a file to store, which ends nothing else.
  init(reading error: FileSystemError) {
    let code: Code =
      switch (error.kind, error.call) {
      case (.noResources, _): .shortOfResources
      case (_, .read), (_, .dropPages): .unreadable
      default: .invalid
      }
    self.init(code, error.path, error.call.problem, cause: error.message)
  }

  /// Returns the error as the refusal of a file, which it names.
  ///
  /// A persistent failure concerns the whole spool and stays as it is.
  func refusing(_ path: String) -> SpoolError {
    guard !isPersistent, object != path else { return self }
    return SpoolError(
      code, path, "is not stored and stays where it is",
      cause: "\"\(object)\" \(problem)" + (cause.map { ": \($0)" } ?? ""))
  }
}
