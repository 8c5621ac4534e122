import Foundation
import Glibc
import Testing

@testable import Spool

/// Pictures are saved from a spool that no service can open anymore.
struct SpoolSalvageTests {
  let directory: TestDirectory
  let target: String

  init() throws {
    directory = TestDirectory()
    target = directory.path + "/drive"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
  }

  /// Makes a spool with so many pictures, which no process has open.
  private func fill(_ count: Int) async throws -> [StoredItem] {
    let spool = try await directory.open()
    var items: [StoredItem] = []
    for number in 1...count { items.append(try await spool.store(.sample(number))) }
    await spool.close()
    return items
  }

  private func salvage(
    files: any FileSystem = KernelFileSystem()
  ) throws -> [SpoolSalvage.Copy] {
    var copies: [SpoolSalvage.Copy] = []
    try SpoolSalvage(directory: directory.spool, files: files).copyAll(to: target) {
      copies.append($0)
    }
    return copies
  }

  /// Returns every file of the spool with its content.
  private func contents() -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: directory.spool)?.compactMap {
      $0 as? String
    }
    return (names ?? []).reduce(into: [:]) {
      $0[$1] = FileManager.default.contents(atPath: directory.spool + "/" + $1)
    }
  }

  @Test func `Each picture is copied once, and the spool is left unchanged`() async throws {
    let items = try await fill(3)
    // The copy works without an index, too.
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    let before = contents()
    let copies = try salvage()
    #expect(copies.map(\.name) == items.map { "\($0.id).jpg" }, "the oldest first")
    #expect(copies.allSatisfy { $0.outcome == .copied && $0.bytes == 300 })
    for item in items {
      let manager = FileManager.default
      #expect(manager.contentsEqual(atPath: item.path, andPath: "\(target)/\(item.id).jpg"))
      let sidecar = (item.path as NSString).deletingPathExtension + ".json"
      #expect(manager.contentsEqual(atPath: sidecar, andPath: "\(target)/\(item.id).json"))
    }
    #expect(try salvage().map(\.outcome) == [.present, .present, .present])
    #expect(contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 6)
  }

  @Test func `A damaged picture is not copied, but one without a sidecar is`() async throws {
    let items = try await fill(3)
    try write("damaged", to: items[0].path)
    let sidecar = (items[1].path as NSString).deletingPathExtension + ".json"
    try FileManager.default.removeItem(atPath: sidecar)
    let copies = try salvage()
    guard case .failed(let problem) = copies[0].outcome else {
      Issue.record("\(copies[0])")
      return
    }
    #expect(problem.hasPrefix("\"\(items[0].path)\" is damaged: its SHA-256 is "))
    #expect(copies[1].outcome == .unchecked && copies[2].outcome == .copied)
    let names = try FileManager.default.contentsOfDirectory(atPath: target)
    #expect(names.count == 3 && !names.contains { $0.contains(items[0].id.description) })
    #expect(try salvage().map(\.outcome).dropFirst() == [.present, .present])
  }

  @Test func `A picture that cannot be read does not end the salvage`() async throws {
    let items = try await fill(3)
    let lost = items[1].path
    let files = FaultyFileSystem(
      root: directory.path, fault: { $0 == .read(lost) ? EIO : nil })
    let copies = try salvage(files: files)
    let problem = "\"\(lost)\" cannot be read: Input/output error"
    #expect(copies.map(\.outcome) == [.copied, .failed(problem), .copied])
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 4)
  }

  @Test func `A sidecar that cannot be used makes its picture doubtful`() async throws {
    let items = try await fill(2)
    let sidecars = items.map { ($0.path as NSString).deletingPathExtension + ".json" }
    try write("{}", to: sidecars[0])
    let files = FaultyFileSystem(
      root: directory.path, fault: { $0 == .read(sidecars[1]) ? EIO : nil })
    #expect(
      try salvage(files: files).map(\.outcome) == [
        .doubtful("\"\(sidecars[0])\" does not describe the picture"),
        .doubtful("\"\(sidecars[1])\" cannot be read: Input/output error"),
      ])
    for item in items {
      #expect(
        FileManager.default.contentsEqual(
          atPath: item.path, andPath: "\(target)/\(item.id).jpg"))
    }
  }

  @Test func `folders that cannot be listed are told, and the others are copied`() async throws {
    let items = try await fill(1)
    let shard = try #require(SpoolLayout.shards.first { $0 != items[0].id.shard })
    let paths = ["items/" + shard, "recordings"].map { directory.spool + "/" + $0 }
    let files = FaultyFileSystem(
      root: directory.path,
      fault: { step in paths.contains { step == .list($0) } ? EIO : nil })
    let copies = try salvage(files: files)
    #expect(copies.map(\.name) == paths + ["\(items[0].id).jpg"])
    let failures = paths.map { path in
      SpoolSalvage.Copy.Outcome.failed("\"\(path)\" cannot be listed: Input/output error")
    }
    #expect(copies.map(\.outcome) == failures + [.copied])
  }

  @Test func `Another file of the same name is left alone`() async throws {
    let items = try await fill(1)
    let path = "\(target)/\(items[0].id).jpg"
    try write("mine", to: path)
    let outcomes = try salvage().map(\.outcome)
    #expect(outcomes == [.failed("\"\(path)\" is another file of that name")])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func `A directory that cannot be used is reported once`() async throws {
    let missing = SpoolSalvage(directory: directory.spool)
    #expect(throws: SpoolError.self) { try missing.copyAll(to: target) { _ in } }
    _ = try await fill(1)
    let error = #expect(throws: SpoolError.self) {
      try missing.copyAll(to: target + "/none") { _ in }
    }
    #expect(
      error?.description == "\"\(target)/none\" cannot be opened: No such file or directory")
  }
}
