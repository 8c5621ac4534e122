import Devices
import Foundation
import Spool
import TestSupport

@testable import Upload

/// A directory for a spool that is not there yet, removed with the value that owns it.
final class ScratchSpool: Sendable {
  private let place = TemporaryDirectory(on: .memory)

  var directory: String { place.path + "/spool" }

  /// The spool's configuration unless a test changes it.
  var configuration: SpoolConfiguration {
    SpoolConfiguration(directory: directory, rigID: "rig-1", minimumFreeBytes: 0)
  }

  func open(_ change: (inout SpoolConfiguration) -> Void = { _ in }) async throws -> Spool {
    var configuration = configuration
    change(&configuration)
    return try await Spool.open(
      configuration, logger: .silent)
  }
}

extension NewItem {
  /// Returns a picture of a press; no other number gives the same bytes.
  static func sample(press number: Int64, bytes: Int = 400) -> NewItem {
    var metadata = ItemMetadata(
      rigID: "rig-1", pressNumber: number,
      captured: CaptureTime(
        bootID: "b", monotonicNanoseconds: number, wallNanoseconds: 1_795_219_200_000_000_000,
        wallTrust: .synchronized))
    metadata.pressSource = .button
    metadata.orientation = 6
    metadata.mediaType = "image/jpeg"
    return NewItem(
      bytes: (0..<bytes).map { UInt8(truncatingIfNeeded: Int64($0) &* 31 &+ number &* 7) },
      metadata: metadata)
  }
}

extension StoredItem {
  /// Changes the picture behind the spool's back without changing its length.
  func damage() throws {
    let bytes = [UInt8](repeating: 0xEE, count: Int(byteCount))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}

extension Upload.Receipt {
  /// Returns the receipt of a server for a delivery.
  static func sample(_ delivery: PendingDelivery) -> Upload.Receipt {
    Upload.Receipt(
      url: "http://server/" + delivery.remoteName, remoteName: delivery.remoteName,
      sha256: delivery.sha256, verification: .readBack, status: 201, entityTag: nil,
      isDuplicate: false, wallNanoseconds: 1_795_219_300_000_000_000)
  }
}
