import Foundation
import Testing
import TestSupport

@testable import Upload

@Suite(.timeLimit(.minutes(10))) struct DirectoryTargetTests {
  private let files = TemporaryDirectory()
  private let place = TemporaryDirectory()
  private let journal = NotedProgress()

  private func prepared(
    willReadBack: @escaping @Sendable () -> Void = {}
  ) throws -> DirectoryTarget {
    try placeMarker("box", in: place.path)
    return try DirectoryTarget(
      DirectoryConfiguration(directory: place.path, name: "box", reserveBytes: 0),
      willReadBack: willReadBack)
  }

  private var manifest: String {
    (try? String(contentsOfFile: place.path + "/MANIFEST.sha256", encoding: .utf8)) ?? ""
  }

  @Test(arguments: ["", "a b", "a/b", "ü", String(repeating: "x", count: 65)])
  func `names of targets must be in our alphabet`(name: String) {
    #expect(throws: DeliveryFailure.self) {
      try DirectoryTarget(DirectoryConfiguration(directory: place.path, name: name))
    }
  }

  /// The marker is written as by `cmd`, PowerShell 5, another editor, Notepad and an old Mac.
  @Test(
    arguments: [
      Array("box \r\n".utf8), [0xFF, 0xFE, 0x62, 0, 0x6F, 0, 0x78, 0, 0x0D, 0, 0x0A, 0],
      [0xFE, 0xFF, 0, 0x62, 0, 0x6F, 0, 0x78], [0xEF, 0xBB, 0xBF, 0x62, 0x6F, 0x78],
      Array("\tbox\r".utf8),
    ] as [[UInt8]])
  func `a marker of another system is read`(marker: [UInt8]) async throws {
    let target = try prepared()
    try Data(marker).write(to: URL(fileURLWithPath: place.path + "/.platen-target"))
    _ = try await target.deliver(files.delivery(remoteName: "a.jpg"), journal: journal)
  }

  @Test(arguments: ["someone-else\n", "", "bo\u{1B}[2Jx", "box-2"])
  func `another drive is not written to`(marker: String) async throws {
    let target = try prepared()
    try marker.write(toFile: place.path + "/.platen-target", atomically: false, encoding: .utf8)
    let failure = try await target.failure(of: files.delivery())
    #expect(failure.code == .blocked)
    #expect(failure.scope == .target)
    #expect(!failure.text.utf8.contains(0x1B))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: place.path) == [".platen-target"])
  }

  @Test(arguments: [
    "", "/a", "a/", "a//b", "..", "../a", "a/../b", ".a", "a/.part", "a b", "ü.jpg", "a\\b", "a\nb",
    "a:b", "a.", "MANIFEST.sha256", "manifest.SHA256", "MANIFEST.sha256/a",
    String(repeating: "x", count: 249),
  ])
  func `names that could lead elsewhere are refused`(name: String) async throws {
    let failure = try await prepared().failure(of: files.delivery(remoteName: name))
    #expect(failure.code == .badName)
    #expect(failure.scope == .item)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: place.path) == [".platen-target"])
  }

  @Test func `links are not followed`() async throws {
    let target = try prepared()
    let outside = TemporaryDirectory()
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: place.path + "/rig", withDestinationPath: outside.path)
    let failure = try await target.failure(of: files.delivery(remoteName: "rig/a.jpg"))
    #expect(failure.code == .blocked)
    try manager.createSymbolicLink(
      atPath: place.path + "/b.jpg", withDestinationPath: outside.path + "/b.jpg")
    try manager.createSymbolicLink(
      atPath: place.path + "/.c.jpg.part", withDestinationPath: outside.path + "/c.jpg")
    #expect(
      try await target.failure(of: files.delivery(remoteName: "b.jpg")).code == .conflict)
    _ = try await target.deliver(files.delivery(remoteName: "c.jpg"), journal: journal)
    try manager.removeItem(atPath: place.path + "/MANIFEST.sha256")
    try manager.createSymbolicLink(
      atPath: place.path + "/MANIFEST.sha256", withDestinationPath: outside.path + "/m")
    #expect(
      try await target.failure(of: files.delivery(remoteName: "d.jpg")).code == .blocked)
    #expect(try manager.subpathsOfDirectory(atPath: outside.path) == [])
  }

  @Test func `a file in place of a directory is left alone`() async throws {
    let target = try prepared()
    try Data([1]).write(to: URL(fileURLWithPath: place.path + "/rig"))
    let failure = try await target.failure(of: files.delivery(remoteName: "rig/a.jpg"))
    #expect(failure.code == .blocked)
    try FileManager.default.createDirectory(
      atPath: place.path + "/page.jpg", withIntermediateDirectories: false)
    #expect(
      try await target.failure(of: files.delivery(remoteName: "page.jpg")).code == .conflict)
  }

  @Test func `a damaged or missing file is the item's fault`() async throws {
    let target = try prepared()
    var gone = try await files.delivery(id: "gone")
    gone.path += "-gone"
    var damaged = try await files.delivery(id: "damaged")
    damaged.sha256 = String(repeating: "0", count: 64)
    var short = try await files.delivery(id: "short")
    short.byteCount += 1
    var long = try await files.delivery(id: "long")
    long.byteCount -= 1
    for delivery in [gone, damaged, short, long] {
      let failure = try await target.failure(of: delivery)
      #expect(failure.code == .fileUnreadable)
      #expect(failure.scope == .item)
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted()
        == [".platen-target", "2026", "2026/11"])
  }

  @Test func `the remains of a power cut are repaired`() async throws {
    let target = try prepared()
    let first = try await files.delivery(id: "1", remoteName: "1.jpg")
    let second = try await files.delivery(id: "2", bytes: somePicture(seed: 2), remoteName: "2.jpg")
    // There are half an item, a whole item that was not listed yet, and half a line.
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: place.path + "/.1.jpg.part"))
    try FileManager.default.copyItem(atPath: second.path, toPath: place.path + "/2.jpg")
    let other = "\(String(repeating: "0", count: 64))  other.jpg\n"
    try (other + second.sha256.prefix(20))
      .write(toFile: place.path + "/MANIFEST.sha256", atomically: false, encoding: .utf8)
    #expect(try await target.deliver(first, journal: journal).isDuplicate == false)
    for _ in 0..<2 {
      #expect(try await target.deliver(second, journal: journal).isDuplicate)
    }
    #expect(manifest == other + "\(first.sha256)  1.jpg\n\(second.sha256)  2.jpg\n")
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted()
        == [".platen-target", "1.jpg", "2.jpg", "MANIFEST.sha256"])
  }

  @Test func `a long manifest is searched to its end`() async throws {
    let target = try prepared()
    let delivery = try await files.delivery(remoteName: "page.jpg")
    _ = try await target.deliver(delivery, journal: journal)
    let more = (0..<5000).map { "\(String(repeating: "a", count: 64))  more/\($0).jpg\n" }.joined()
    let text = manifest + more
    try text.write(toFile: place.path + "/MANIFEST.sha256", atomically: false, encoding: .utf8)
    #expect(try await target.deliver(delivery, journal: journal).isDuplicate)
    #expect(manifest == text)
    try more.write(toFile: place.path + "/MANIFEST.sha256", atomically: false, encoding: .utf8)
    #expect(try await target.deliver(delivery, journal: journal).isDuplicate)
    #expect(manifest == more + "\(delivery.sha256)  page.jpg\n")
  }

  @Test func `canceling leaves no files behind`() async throws {
    let (reached, reach) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let target = try prepared {
      reach.yield()
      gate.wait()
    }
    let delivery = try await files.delivery(remoteName: "page.jpg")
    let task = Task { try await target.deliver(delivery, journal: journal) }
    for await _ in reached { break }
    task.cancel()
    gate.signal()
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? DeliveryFailure)?.code == .cancelled }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: place.path) == [".platen-target"])
  }

  @Test func `simultaneous deliveries all arrive and are listed`() async throws {
    let target = try prepared()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let delivery = try await files.delivery(
            id: "\(number)", bytes: somePicture(byteCount: 5000, seed: UInt64(number)),
            remoteName: "a/\(number).jpg")
          _ = try await target.deliver(delivery, journal: journal)
        }
      }
      try await group.waitForAll()
    }
    let checked = try await run(
      "/bin/sh", ["-c", "cd '\(place.path)' && sha256sum --strict -c MANIFEST.sha256"])
    #expect(checked.split(separator: "\n").filter { $0.hasSuffix(": OK") }.count == 20)
  }

  @Test(
    arguments: [
      (ENOSPC, .targetFull, .target), (EDQUOT, .targetFull, .target), (EIO, .unreachable, .target),
      (ENODEV, .unreachable, .target), (ENXIO, .unreachable, .target),
      (ENOTCONN, .unreachable, .target), (ENOENT, .unreachable, .target),
      (EROFS, .blocked, .target), (EACCES, .blocked, .target), (EFBIG, .rejected, .item),
      (ENAMETOOLONG, .badName, .item),
    ] as [(Int32, DeliveryFailure.Code, DeliveryFailure.Scope)])
  func `a system's error has a code and a scope`(
    number: Int32, code: DeliveryFailure.Code, scope: DeliveryFailure.Scope
  ) {
    let failure = FileFailure("write", "/d/x", number: number).deliveryFailure
    #expect(failure.code == code)
    #expect(failure.scope == scope)
    #expect(failure.text.hasPrefix("could not write \"/d/x\": "))
  }
}
