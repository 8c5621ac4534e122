import Foundation
import Logging
import Spool
import Transfer
import Upload

/// A maker of the configured targets, each with its uploader.
struct TargetFactory {
  /// A target and its uploader.
  struct Product: Sendable {
    var section: TargetSection
    var url: String
    var uploader: Uploader
  }

  let spool: Spool
  let time: UploadTime
  let logger: Logger

  /// Makes a target and its uploader; nothing is connected yet.
  ///
  /// - Throws: `DeliveryFailure` for a URL that cannot be used.
  func make(_ section: TargetSection) throws -> Product {
    let bandwidth = section.policy.bytesPerSecond.map { BandwidthShare(bytesPerSecond: $0) }
    let target = try target(section, http: settings(section.connection, bandwidth))
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: TargetID(rawValue: section.name)),
      target: target, policy: UploadPolicy(section.policy), bandwidth: bandwidth, time: time,
      logger: logger)
    return Product(section: section, url: target.description, uploader: uploader)
  }

  private func target(
    _ section: TargetSection, http: HTTPSettings
  ) throws -> any UploadTarget {
    switch section.destination {
    case .webDAV(let webDAV):
      return try WebDAVTarget(
        WebDAVConfiguration(
          url: webDAV.url, credentials: login(webDAV.user, webDAV.passwordFile),
          verification: webDAV.readsBack ? .readBack : .statusOnly,
          commit: webDAV.isPlainPut ? .put : .move, storesMetadata: webDAV.storesMetadata,
          http: http))
    case .s3(let s3):
      return try S3Target(
        S3Configuration(
          endpoint: s3.url, region: s3.region, bucket: s3.bucket, prefix: s3.prefix ?? "",
          addressing: s3.addressing == .path ? .path : .virtualHost,
          credentials: S3Credentials(
            accessKeyID: .text(s3.accessKeyID), secretAccessKey: file(s3.secretKeyFile),
            sessionToken: s3.sessionTokenFile.map(file)),
          checksums: S3Configuration.Checksums(s3.checksums), partByteCount: s3.partByteCount,
          http: http))
    case .tus(let tus):
      let basic = login(tus.user, tus.passwordFile).map {
        TusConfiguration.Authorization.basic($0)
      }
      let bearer = tus.tokenFile.map { TusConfiguration.Authorization.bearer(file($0)) }
      return try TusTarget(
        TusConfiguration(
          url: tus.url, naming: tus.isNameInPath ? .path : .metadata,
          authorization: bearer ?? basic, http: http))
    case .processing(let processing):
      return try ProcessingTarget(
        ProcessingConfiguration(
          url: processing.url, form: processing.body == .raw ? .raw : .multipart,
          bearerToken: processing.tokenFile.map(file), stallTimeout: http.stallTimeout,
          answerTimeout: http.answerTimeout, http: http))
    case .directory(let directory):
      return try DirectoryTarget(
        DirectoryConfiguration(
          directory: directory.path, name: section.name,
          reserveBytes: directory.minimumFreeBytes))
    }
  }

  private func settings(
    _ connection: TargetConnectionSection, _ bandwidth: BandwidthShare?
  ) -> HTTPSettings {
    HTTPSettings(
      security: TransferSecurity(
        certificateAuthorityFile: connection.certificateAuthorityFile,
        pinnedPublicKeys: connection.pinnedPublicKeys,
        clientCertificateFile: connection.clientCertificateFile,
        clientKeyFile: connection.clientKeyFile),
      connectTimeout: connection.connectTimeout, stallTimeout: connection.stallTimeout,
      minimumBytesPerSecond: connection.minimumBytesPerSecond,
      answerTimeout: connection.answerTimeout, bandwidth: bandwidth,
      userAgent: "platen/\(PlatenVersion.current)")
  }

  private func login(_ user: String?, _ password: SecretReference?) -> TargetCredentials? {
    guard let user, let password else { return nil }
    return TargetCredentials(user: user, password: file(password))
  }

  /// Returns the file of a secret; systemd keeps credentials in `$CREDENTIALS_DIRECTORY`.
  ///
  /// Without that directory, the target reports at each try where it looked for the credential.
  private func file(_ reference: SecretReference) -> SecretFile {
    switch reference {
    case .file(let path): return SecretFile(path: path)
    case .credential(let name):
      let directory = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
      return SecretFile(path: "\(directory ?? "/run/credentials/platend.service")/\(name)")
    }
  }
}

extension UploadPolicy {
  /// Makes the policy that a configuration asks for.
  init(_ section: TargetPolicySection) {
    self.init(
      retry: RetryPolicy(
        base: section.retryMinimum, cap: section.retryMaximum, minimum: section.retryMinimum),
      parallelDeliveries: section.parallel,
      order: section.order == .strict ? .strict : .oldestFirst,
      itemFailuresUntilParked: section.parkAfter, deliveriesPerMinute: section.perMinute,
      window: section.window)
  }
}

extension S3Configuration.Checksums {
  init(_ checksums: TargetDestination.S3.Checksums) {
    switch checksums {
    case .sha256: self = .sha256
    case .md5: self = .md5
    case .both: self = .sha256AndMD5
    }
  }
}
