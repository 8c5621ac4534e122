import Devices
import Foundation
import TestSupport

@testable import Spool

/// A directory of a test's own, removed with the value that owns it.
final class TestDirectory: Sendable {
  private let directory = TemporaryDirectory(on: .memory)

  var path: String { directory.path }

  /// The path of the spool.
  var spool: String { path + "/spool" }

  func configuration(_ change: (inout SpoolConfiguration) -> Void = { _ in }) -> SpoolConfiguration
  {
    var configuration = SpoolConfiguration(
      directory: spool, rigID: "rig-1", minimumFreeBytes: 0, ballastBytes: 0)
    configuration.roomBesideSources = 0
    change(&configuration)
    return configuration
  }

  /// Opens the spool in the boot "b".
  func open() async throws -> Spool {
    try await Spool.open(configuration(), environment: SpoolEnvironment(bootID: "b"))
  }

  /// Removes an empty shard, which its next picture has to make again.
  func removeShard(_ shard: String) throws {
    try FileManager.default.removeItem(atPath: spool + "/items/" + shard)
  }

  /// Returns all files, relative, but for the database, lock, numbers, boots and ballast.
  static func itemFiles(_ spool: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: spool)?.compactMap { $0 as? String } ?? []
    return all.filter { name in
      return !isDirectory(spool + "/" + name) && !name.hasPrefix("queue.db")
        && !["lock", "ballast", NumberLimits.fileName, BootHistory.fileName].contains(name)
    }.sorted()
  }

  /// Returns the files that belong to an item.
  static func files(of id: ItemID, in spool: String) -> [String] {
    itemFiles(spool).filter { $0.contains(id.description) }
  }
}

/// Returns whether a directory has this path.
func isDirectory(_ path: String) -> Bool {
  var isDirectory: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    && isDirectory.boolValue
}

/// Writes a small file.
func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

/// Runs a program and returns its status and its output on both streams.
func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String) {
  let tool = try Tool.runHere(program, arguments)
  return (tool.exitCode, tool.output + tool.complaint)
}

extension NewItem {
  /// Makes a picture that differs from the pictures of all other numbers.
  static func sample(_ number: Int, bytes: Int = 300) -> NewItem {
    var random = SeededGenerator(seed: UInt64(number) &+ 77)
    var metadata = ItemMetadata(
      rigID: "rig-1", pressNumber: Int64(number),
      captured: CaptureTime(
        bootID: "b", monotonicNanoseconds: Int64(number) * 1_000_000_000,
        // 2026-11-21 00:00:00 UTC
        wallNanoseconds: 1_795_219_200_000_000_000 + Int64(number), wallTrust: .synchronized))
    metadata.orientation = 6
    metadata.mediaType = "image/jpeg"
    return NewItem(
      bytes: (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) },
      metadata: metadata)
  }
}

extension Receipt {
  /// Makes a receipt as a server would give it.
  static func sample(_ delivery: Delivery) -> Receipt {
    Receipt(
      url: "http://server/" + delivery.remoteName, remoteName: delivery.remoteName,
      sha256: delivery.sha256, httpStatus: 201, wallNanoseconds: 1_795_219_300_000_000_000)
  }
}
