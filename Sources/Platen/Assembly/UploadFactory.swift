import Devices
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
    var credentials: BasicCredentials?
    if let user = section.user, let file = section.passwordFile {
      credentials = BasicCredentials(user: user, password: SecretFile(path: try path(of: file)))
    }
    let target = try WebDAVTarget(
      WebDAVConfiguration(
        url: section.url, credentials: credentials,
        http: HTTPSettings(
          security: TransferSecurity(certificateAuthorityFile: section.certificateAuthorityFile),
          connectTimeout: section.connectTimeout, stallTimeout: section.stallTimeout,
          userAgent: "platen/\(PlatenVersion.current)")))
    return Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: UploadPolicy(
        retry: RetryPolicy(
          base: section.retryMinimum, cap: section.retryMaximum, minimum: section.retryMinimum)),
      time: .rig, logger: logger)
  }

  /// The path of a password's file, which may be a systemd credential (`credential:NAME`).
  private static func path(of file: String) throws(CredentialError) -> String {
    guard file.hasPrefix("credential:") else { return file }
    let name = file.dropFirst("credential:".count)
    guard let directory = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] else {
      throw CredentialError(
        file: file, cause: "systemd gave no credentials; add LoadCredential=\(name) to the unit")
    }
    guard !name.isEmpty, !name.contains("/"), name != ".." else {
      throw CredentialError(file: file, cause: "the name of a credential holds no slash")
    }
    return "\(directory)/\(name)"
  }
}

extension UploadTime {
  /// The system's clocks; the local time is known only while the kernel says that its clock is
  /// synchronised.
  static let rig = UploadTime(
    now: system.now, sleep: system.sleep, wallNanoseconds: system.wallNanoseconds,
    localTime: {
      let reading = WallClock().reading(at: SystemMonotonicClock().now)
      guard reading.trust == .synchronized else { return nil }
      return LocalTime(
        wallNanoseconds: reading.nanosecondsSinceEpoch, secondsFromGMT: reading.secondsFromGMT)
    })
}
