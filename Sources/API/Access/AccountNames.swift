import Devices
public import Foundation

/// The accounts of this machine, by number and by name.
///
/// The calls may ask a directory over the network and wait for it, so the actor has an executor of
/// its own, and ``CallerNames`` waits for it only so long. Nothing is decided by a name: who may do
/// what goes by numbers.
public actor AccountNames {
  /// What a name can belong to.
  public enum Kind: String, Sendable, Hashable {
    /// An account of a person or a service.
    case user
    /// A group of accounts.
    case group
  }

  /// Where the calls wait.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.accounts")

  /// Makes the actor; nothing is asked yet.
  public init() {}

  /// The name of a user, after what was asked before; `nil` when there is none.
  func name(ofUser number: UInt32) -> String? { Self.userName(number) }

  /// The name of a user (`getpwuid_r`); `nil` when there is none.
  static func userName(_ number: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: bufferBytes)
    guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let name = entry.pw_name
    else { return nil }
    return String(cString: name)
  }

  /// The number of a user or a group (`getpwnam_r`, `getgrnam_r`), which may take as long as the
  /// machine's directory takes.
  ///
  /// - Returns: `nil` when there is no such name.
  /// - Throws: `POSIXError` when the directory cannot be asked.
  public static func number(of name: String, _ kind: Kind) throws(POSIXError) -> UInt32? {
    var buffer = [CChar](repeating: 0, count: bufferBytes)
    switch kind {
    case .user:
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      try check(getpwnam_r(name, &entry, &buffer, buffer.count, &found))
      return found == nil ? nil : entry.pw_uid
    case .group:
      var entry = group()
      var found: UnsafeMutablePointer<group>?
      try check(getgrnam_r(name, &entry, &buffer, buffer.count, &found))
      return found == nil ? nil : entry.gr_gid
    }
  }

  /// Large enough for a group with thousands of members.
  private static let bufferBytes = 256 * 1024

  private static func check(_ number: Int32) throws(POSIXError) {
    // Some directories say "not found" by an error (getpwnam(3), NOTES).
    guard ![0, ENOENT, ESRCH, EBADF, EPERM].contains(number) else { return }
    throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}
