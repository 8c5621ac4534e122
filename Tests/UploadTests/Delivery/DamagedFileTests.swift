import Foundation
import Testing
import TestSupport
import Transfer

@testable import Upload

/// Targets whose item's file was damaged after the item was stored; no server is needed.
@Suite(.timeLimit(.minutes(10))) struct DamagedFileTests {
  private let files = TemporaryDirectory()

  enum Kind: CaseIterable { case webdav, webdavWithMetadata, put, s3, s3InParts, tus, form, sftp }

  private func target(_ kind: Kind, at url: String) throws -> any UploadTarget {
    switch kind {
    case .webdav: return try WebDAVTarget(WebDAVConfiguration(url: url))
    case .webdavWithMetadata:
      return try WebDAVTarget(WebDAVConfiguration(url: url, storesMetadata: true))
    case .put: return try WebDAVTarget(WebDAVConfiguration(url: url, commit: .put))
    case .s3, .s3InParts:
      return try S3Target(
        S3Configuration(
          url: url, region: "us-east-1", bucket: "pages",
          credentials: S3Credentials(
            accessKeyID: "rig", secretAccessKey: try files.secret("secret", name: "key")),
          multipartThreshold: kind == .s3 ? 16 << 20 : 0))
    case .tus: return try TusTarget(TusConfiguration(url: url))
    case .form: return try ProcessingTarget(ProcessingConfiguration(url: url, form: .multipart))
    case .sftp:
      return try SFTPTarget(
        SFTPConfiguration(
          url: url.replacing("http:", with: "sftp:") + "box", user: "rig",
          proof: .password(try files.secret("secret", name: "password")),
          hostKey: .fingerprint(String(repeating: "A", count: 43))))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a damaged file is the item's fault and not sent`(kind: Kind) async throws {
    let proxy = try FaultProxy()
    let target = try target(kind, at: proxy.url)
    var delivery = try await files.delivery()
    let bytes = somePicture()
    var flipped = bytes
    flipped[bytes.count / 2] ^= 1
    for wrong in [flipped, bytes + [0], Array(bytes.dropLast()), []] {
      try Data(wrong).write(to: URL(fileURLWithPath: delivery.path))
      let failure = try await target.failure(of: delivery)
      #expect(failure.code == .fileUnreadable, "\(failure)")
      #expect(failure.scope == .item)
    }
    delivery.path += "-gone"
    #expect(try await target.failure(of: delivery).code == .fileUnreadable)
    #expect(proxy.requests.allSatisfy { ["GET", "OPTIONS"].contains($0.method) })
    #expect(proxy.requests.allSatisfy { $0.bodyByteCount == 0 })
  }
}
