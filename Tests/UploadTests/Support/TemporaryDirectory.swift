import Foundation
import Synchronization
import TestSupport

@testable import Upload

extension TemporaryDirectory {
  /// Writes a secret into a file of its own.
  func secret(_ text: String, name: String = "secret") throws -> SecretFile {
    let file = path + "/" + name
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
    return SecretFile(path: file)
  }

  /// Writes a file and returns the delivery of it, its SHA-256 computed by `sha256sum`.
  func delivery(
    id: String = "0001-1-a", bytes: [UInt8] = somePicture(),
    remoteName: String = "2026/11/page.jpg",
    attempts: Int = 0
  ) async throws -> PendingDelivery {
    let file = path + "/\(id)"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let digest = try await run("/usr/bin/sha256sum", [file]).prefix(64)
    return PendingDelivery(
      id: id, path: file, byteCount: Int64(bytes.count), sha256: String(digest),
      remoteName: remoteName, attempts: attempts, contentType: "image/jpeg")
  }
}

/// Returns bytes without a pattern, the same for the same seed.
func somePicture(byteCount: Int = 100_003, seed: UInt64 = 1) -> [UInt8] {
  let key = [UInt64(byteCount), seed]
  if let known = somePictures.withLock({ $0[key] }) { return known }
  var generator = SeededGenerator(seed: seed)
  let words = (0..<(byteCount + 7) / 8).map { _ in generator.next() }
  let bytes = words.withUnsafeBytes { Array(UnsafeRawBufferPointer(rebasing: $0[..<byteCount])) }
  somePictures.withLock { $0[key] = bytes }
  return bytes
}

/// The pictures made so far, as making a large one takes a debug build seconds.
private let somePictures = Mutex<[[UInt64]: [UInt8]]>([:])
