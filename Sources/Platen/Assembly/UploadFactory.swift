import Foundation
import Logging
import Spool
import Transfer
import Upload

/// Makes the uploader that a configuration names.
enum UploadFactory {
  /// What stands in the way of an upload before the first try.
  struct CredentialError: Error, CustomStringConvertible {
    let file: String
    let cause: String

    var description: String {
      "the password file \"\(file)\" cannot be used: \(cause)"
    }
  }

  static func make(_ section: UploadSection, spool: Spool, logger: Logger) throws -> Uploader {
    var credentials: HTTPCredentials?
    if let user = section.user, let file = section.passwordFile {
      credentials = HTTPCredentials(user: user, password: try password(in: file))
    }
    let target = try WebDAVTarget(
      WebDAVConfiguration(
        url: section.url, credentials: credentials,
        certificateAuthorityFile: section.certificateAuthorityFile,
        connectTimeout: section.connectTimeout, stallTimeout: section.stallTimeout,
        userAgent: "platen/\(PlatenVersion.current)"))
    return Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: RetryPolicy(
        base: section.retryMinimum, cap: section.retryMaximum, minimum: section.retryMinimum),
      logger: logger)
  }

  /// Reads a password from a file, or from a systemd credential (`credential:NAME`).
  private static func password(in file: String) throws(CredentialError) -> String {
    var path = file
    if file.hasPrefix("credential:") {
      let name = file.dropFirst("credential:".count)
      guard let directory = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] else {
        throw CredentialError(
          file: file, cause: "systemd gave no credentials; add LoadCredential=\(name) to the unit")
      }
      guard !name.isEmpty, !name.contains("/"), name != ".." else {
        throw CredentialError(file: file, cause: "the name of a credential holds no slash")
      }
      path = "\(directory)/\(name)"
    }
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(data: data.prefix(4096), encoding: .utf8)
    else {
      throw CredentialError(file: file, cause: "it cannot be read as text")
    }
    let password = text.trimmingCharacters(in: .newlines)
    guard !password.isEmpty else { throw CredentialError(file: file, cause: "it is empty") }
    return password
  }
}
