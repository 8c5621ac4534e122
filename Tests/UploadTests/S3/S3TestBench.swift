import Foundation
import Testing
import TestSupport

@testable import Upload

/// A bucket at a real server, with the targets and the proxies that lead to it.
struct S3TestBench {
  let server: StorageServer
  let files = TemporaryDirectory()

  /// Returns a bucket on SeaweedFS, shared by all tests, each with names of its own.
  static func seaweed() async throws -> S3TestBench {
    S3TestBench(server: try await StorageServer.shared("seaweedfs"))
  }

  /// Returns a bucket on rclone's server, which is lax about much.
  static func rclone() async throws -> S3TestBench {
    S3TestBench(server: try await StorageServer.shared("rclone-s3"))
  }

  /// A reader with `curl` and a key that may do everything.
  var reader: ObjectReader {
    get throws {
      let bucket = try server.url("s3") + "pages/"
      return server.name == "seaweedfs"
        ? ObjectReader(bucket: bucket)
        : ObjectReader(bucket: bucket, accessKeyID: "rig-key", secretAccessKey: "rig-secret")
    }
  }

  /// Makes a proxy in front of the server.
  func proxy() throws -> FaultProxy { try FaultProxy(upstream: try server.port("s3")) }

  /// Returns the bucket's configuration, with a key that may only write by default.
  func configuration(
    at endpoint: String? = nil, user: String = "rig", prefix: String = "",
    checksums: S3Configuration.Checksums = .sha256, http: HTTPSettings = HTTPSettings()
  ) throws -> S3Configuration {
    S3Configuration(
      url: try endpoint ?? server.url("s3"), region: "us-east-1", bucket: "pages",
      prefix: prefix, addressing: .path,
      credentials: S3Credentials(
        accessKeyID: "\(user)-key",
        secretAccessKey: try files.secret("\(user)-secret", name: "\(user).secret")),
      checksums: checksums, partByteCount: 5 << 20, multipartThreshold: 8 << 20, http: http)
  }

  /// Makes an item with a name of its own.
  func item(
    byteCount: Int = 100_003, seed: UInt64 = 1, attempts: Int = 0
  ) async throws -> (delivery: PendingDelivery, bytes: [UInt8]) {
    let bytes = somePicture(byteCount: byteCount, seed: seed)
    let name = "2026/11/\(UUID().uuidString.lowercased()).jpg"
    return (
      try await files.delivery(
        id: String(UUID().uuidString.prefix(8)), bytes: bytes, remoteName: name,
        attempts: attempts), bytes
    )
  }
}

extension UploadTarget {
  /// Delivers an item that cannot be delivered, and returns the failure.
  func failure(
    of delivery: PendingDelivery, journal: any DeliveryJournal = RecordingJournal()
  ) async throws -> DeliveryFailure {
    try await #require(throws: DeliveryFailure.self) {
      try await deliver(delivery, journal: journal)
    }
  }

  /// Delivers an item like the uploader: retries after each failure, with the kept state.
  func deliverPersistently(
    _ delivery: PendingDelivery, journal: RecordingJournal = RecordingJournal()
  ) async throws -> (receipt: Receipt, failures: [DeliveryFailure]) {
    var delivery = delivery
    var failures: [DeliveryFailure] = []
    while true {
      do {
        return (try await deliver(delivery, journal: journal), failures)
      } catch {
        failures.append(error)
        try #require(failures.count < 6, "\(failures)")
        delivery.attempts += 1
        delivery.resumeState = journal.last
      }
    }
  }
}
