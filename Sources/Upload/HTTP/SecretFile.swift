import Devices
import Glibc
package import Settings

/// A secret in a file of its own.
///
/// The file is read for each delivery, so that a changed secret is used without a restart.
package struct SecretFile: Sendable, Hashable {
  /// A number of bytes that no password, key or token exceeds.
  package static let maximumByteCount = 4096

  /// The file's path.
  package let path: String

  /// Names a file, which is not read yet.
  package init(path: String) { self.path = path }

  /// Names the file at a place: an absolute path, or `credential:NAME`; `nil` for another text.
  ///
  /// The service's unit loads credentials (`LoadCredential=`, systemd.exec(5)), and systemd keeps
  /// them in `$CREDENTIALS_DIRECTORY`. Without that directory, the target reports at each try where
  /// it looked for the credential.
  package init?(place: String) {
    if place.hasPrefix("/") {
      self.init(path: place)
      return
    }
    let prefix = "credential:"
    let name = place.dropFirst(prefix.count)
    guard place.hasPrefix(prefix), !name.isEmpty, !name.contains("/"), name != ".", name != ".."
    else { return nil }
    let directory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    self.init(path: "\(directory ?? "/run/credentials/platend.service")/\(name)")
  }

  /// Reads the secret: the file's text without line breaks at its end.
  ///
  /// Files written on other systems can be read too.
  ///
  /// - Throws: ``DeliveryFailure`` with `unauthorized` or `shortOfResources`; it names the file and
  ///   never its content.
  func read() throws(DeliveryFailure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(number: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.maximumByteCount + 1)
    let count = bytes.withUnsafeMutableBytes {
      Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw failure(number: errno) }
    guard count <= Self.maximumByteCount else { throw failure("it is longer than a secret") }
    guard var text = WrittenText.text(of: bytes[..<count]) else {
      throw failure("it is no text")
    }
    while text.utf8.last == 0x0A || text.utf8.last == 0x0D { text.unicodeScalars.removeLast() }
    guard !text.isEmpty else { throw failure("it is empty") }
    return text
  }

  /// Returns the failure for the `errno` of a call that opens or reads the file.
  func failure(number: Int32) -> DeliveryFailure {
    let error = SystemError(number)
    let advice =
      number == ENOENT && path.hasPrefix("/run/credentials/")
      ? "; \"journalctl --unit=platen-credentials\" says whether it can be decrypted" : ""
    return failure(
      "\(error)\(advice)", error.isResourceShortage ? .shortOfResources : .unauthorized)
  }

  private func failure(
    _ cause: String, _ code: DeliveryFailure.Code = .unauthorized
  ) -> DeliveryFailure {
    DeliveryFailure(
      code, scope: .target, text: "the secret in \"\(path)\" cannot be used: \(cause)")
  }
}

/// A user's name and the file with the password.
package struct TargetCredentials: Sendable, Hashable {
  /// The user's name, which must not contain a colon.
  package var user: String
  /// The file with the password.
  package var password: SecretFile
}

extension SettingForm<String> {
  /// The form of a user's name, which must not contain a colon.
  static var userName: SettingForm {
    SettingForm(
      "text", range: "without a colon", expected: "a user's name without a colon", text: { $0 },
      parse: { $0.isEmpty || $0.contains(":") ? nil : $0 })
  }
}

extension SettingForm<SecretFile> {
  /// The form of a secret's place, which issues do not quote: a person may write the secret itself.
  package static var secretFile: SettingForm {
    var form = SettingForm(
      "secret", range: "an absolute path, or credential:NAME",
      expected: "an absolute path or credential:NAME", text: { $0.path },
      parse: { SecretFile(place: $0) })
    form.isSecret = true
    return form
  }
}
