import Devices
package import Foundation

/// The accounts of this machine, by number and by name.
///
/// The calls may wait for a directory on the network. The actor therefore has an executor of its
/// own, and ``CallerNames`` waits for an answer with a timeout. Access is decided by number, never
/// by name.
package actor AccountNames {
  /// The kind of account that a name belongs to.
  package enum Kind: String, Sendable, Hashable {
    /// An account of a person or a service.
    case user
    /// A group of accounts.
    case group
  }

  /// The executor on which the calls wait.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.accounts")

  /// Makes the actor without asking the directory.
  package init() {}

  /// Returns the name of a user after earlier questions have ended; `nil` when there is none.
  func name(ofUser number: UInt32) -> String? { Self.userName(number) }

  /// Returns the name of a user (`getpwuid_r`); `nil` when there is none.
  package static func userName(_ number: UInt32) -> String? {
    withBuffer { start, count in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard getpwuid_r(number, &entry, start, count, &found) == 0, found != nil,
        let name = entry.pw_name
      else { return nil }
      return String(cString: name)
    }
  }

  /// Returns the number of a user or a group (`getpwnam_r`, `getgrnam_r`).
  ///
  /// The call may take as long as the machine's directory takes.
  ///
  /// - Returns: `nil` when there is no such name.
  /// - Throws: `POSIXError` when the directory cannot be asked.
  package static func number(of name: String, _ kind: Kind) throws(POSIXError) -> UInt32? {
    switch kind {
    case .user:
      return try user(named: name)?.number
    case .group:
      var entry = group()
      var found: UnsafeMutablePointer<group>?
      try check(withBuffer { getgrnam_r(name, &entry, $0, $1, &found) })
      return found == nil ? nil : entry.gr_gid
    }
  }

  /// Returns the numbers of a user and of its own group (`getpwnam_r`).
  ///
  /// The call may take as long as the machine's directory takes.
  ///
  /// - Returns: `nil` when there is no such user.
  /// - Throws: `POSIXError` when the directory cannot be asked.
  package static func user(
    named name: String
  ) throws(POSIXError) -> (number: UInt32, group: UInt32)? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    try check(withBuffer { getpwnam_r(name, &entry, $0, $1, &found) })
    return found == nil ? nil : (entry.pw_uid, entry.pw_gid)
  }

  /// Calls a closure with memory for the strings of an entry.
  ///
  /// The memory is large enough for a group with thousands of members. The strings lie in this
  /// memory and must be read before the closure returns.
  private static func withBuffer<Result>(
    _ body: (_ start: UnsafeMutablePointer<CChar>, _ count: Int) -> Result
  ) -> Result {
    let count = 256 * 1024
    let start = UnsafeMutablePointer<CChar>.allocate(capacity: count)
    defer { start.deallocate() }
    return body(start, count)
  }

  private static func check(_ number: Int32) throws(POSIXError) {
    // Some directories say "not found" by an error (getpwnam(3), NOTES).
    guard ![0, ENOENT, ESRCH, EBADF, EPERM].contains(number) else { return }
    throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}
