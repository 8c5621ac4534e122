import Devices

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A secret that lies in a file of its own and is read anew for each delivery, so that a changed
/// one is used without a restart.
public struct SecretFile: Sendable, Hashable {
  /// More than any password, key or token has.
  static let maximumByteCount = 4096

  /// The file's path.
  public let path: String

  /// Names a file; it is not looked at yet.
  public init(path: String) { self.path = path }

  /// Reads the secret: the file's text, whatever system it was written on, without line breaks at
  /// its end.
  ///
  /// - Throws: ``DeliveryFailure`` with `unauthorized`, which names the file and never its content.
  func read() throws(DeliveryFailure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.maximumByteCount + 1)
    let count = bytes.withUnsafeMutableBytes {
      Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw failure(String(cString: strerror(errno))) }
    guard count <= Self.maximumByteCount else { throw failure("it is longer than a secret") }
    guard var text = WrittenText.text(of: bytes[..<count]) else {
      throw failure("it is no text")
    }
    while text.utf8.last == 0x0A || text.utf8.last == 0x0D { text.unicodeScalars.removeLast() }
    guard !text.isEmpty else { throw failure("it is empty") }
    return text
  }

  private func failure(_ cause: String) -> DeliveryFailure {
    DeliveryFailure(
      .unauthorized, scope: .target, text: "the secret in \"\(path)\" cannot be used: \(cause)")
  }
}

/// Where user and password are.
public struct TargetCredentials: Sendable, Hashable {
  /// The user's name; it may not contain a colon.
  public var user: String
  /// The file with the password.
  public var password: SecretFile

  /// Makes credentials.
  public init(user: String, password: SecretFile) {
    self.user = user
    self.password = password
  }
}
