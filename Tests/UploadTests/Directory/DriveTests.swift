import Foundation
import Testing
import TestSupport

@testable import Upload

/// Delivery to real file systems on drives of their own.
@Suite(
  .timeLimit(.minutes(10)), .serialized,
  .enabled(if: getuid() == 0, "mounting a drive takes root: run the tests as root for these"))
struct DriveTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  private func target(
    _ drive: Drive, reserveBytes: Int64 = 1 << 20,
    willReadBack: @escaping @Sendable () -> Void = {}
  ) throws -> DirectoryTarget {
    try DirectoryTarget(
      DirectoryConfiguration(directory: drive.path, name: "stick-1", reserveBytes: reserveBytes),
      wallNanoseconds: { 42 }, willReadBack: willReadBack)
  }

  @Test(arguments: Drive.FileSystem.mountable)
  func `items arrive whole and sha256sum agrees`(fileSystem: Drive.FileSystem) async throws {
    try await withDrive(fileSystem) { drive in
      try placeMarker("stick-1", in: drive.path)
      let target = try target(drive)
      for (number, byteCount) in [0, 1, 100_003, 3_000_000].enumerated() {
        let delivery = try await files.delivery(
          id: "\(number)", bytes: somePicture(byteCount: byteCount, seed: UInt64(number)),
          remoteName: "rig-7/2026/11/page_\(number).jpg")
        let receipt = try await target.deliver(delivery, journal: journal)
        #expect(
          receipt
            == Receipt(
              url: "file://\(drive.path)/\(delivery.remoteName)", remoteName: delivery.remoteName,
              sha256: delivery.sha256, verification: .readBack, status: nil, entityTag: nil,
              isDuplicate: false, wallNanoseconds: 42))
      }
      #expect(journal.progress.last?.bytesSent == 3_000_000)
      // The medium counts, and not the kernel's cache.
      try await drive.unplug()
      try await drive.mount()
      let checked = try await run(
        "/bin/sh", ["-c", "cd '\(drive.path)' && sha256sum --strict -c MANIFEST.sha256"])
      #expect(checked.split(separator: "\n").filter { $0.hasSuffix(": OK") }.count == 4)
      #expect(try drive.entries().count == 6, "four items, the marker and the manifest")
    }
  }

  @Test(arguments: Drive.FileSystem.mountable)
  func `existing files are not replaced`(fileSystem: Drive.FileSystem) async throws {
    try await withDrive(fileSystem) { drive in
      try placeMarker("stick-1", in: drive.path)
      let target = try target(drive)
      let delivery = try await files.delivery(remoteName: "a/page.jpg")
      for isDuplicate in [false, true] {
        #expect(
          try await target.deliver(delivery, journal: journal).isDuplicate == isDuplicate)
      }
      for bytes in [somePicture(seed: 2), somePicture() + [0]] {
        let other = try await files.delivery(id: "2", bytes: bytes, remoteName: "a/page.jpg")
        let failure = try await target.failure(of: other)
        #expect(failure.code == .conflict)
        #expect(failure.scope == .item)
      }
      // The name is taken while the item is written, and no file system lets us replace the file.
      let path = drive.path + "/a/other.jpg"
      let racing = try self.target(drive) {
        try? Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
      }
      let raced = try await files.delivery(id: "3", remoteName: "a/other.jpg")
      #expect(try await racing.failure(of: raced).code == .conflict)
      #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
      #expect(
        try drive.entries()
          == [".platen-target", "MANIFEST.sha256", "a/other.jpg", "a/page.jpg"])
      let manifest = try String(contentsOfFile: drive.path + "/MANIFEST.sha256", encoding: .utf8)
      #expect(manifest == "\(delivery.sha256)  a/page.jpg\n")
    }
  }

  @Test(arguments: Drive.FileSystem.mountable)
  func `a mount point without its drive is never filled`(fileSystem: Drive.FileSystem) async throws
  {
    try await withDrive(fileSystem) { drive in
      try placeMarker("stick-1", in: drive.path)
      let target = try target(drive)
      try await drive.unplug()
      let delivery = try await files.delivery(remoteName: "page.jpg")
      let failure = try await target.failure(of: delivery)
      #expect(failure.code == .unreachable)
      #expect(failure.scope == .target)
      #expect(failure.text.contains("the drive is not there"))
      #expect(try drive.entries() == [])
      try await drive.mount()
      #expect(try await target.deliver(delivery, journal: journal).isDuplicate == false)
    }
  }

  @Test(arguments: Drive.FileSystem.mountable)
  func `a full drive is reported before and during writing`(fileSystem: Drive.FileSystem)
    async throws
  {
    try await withDrive(fileSystem) { drive in
      try placeMarker("stick-1", in: drive.path)
      let large = try await files.delivery(
        id: "large", bytes: somePicture(byteCount: 20 << 20), remoteName: "large.jpg")
      // The second target expects room, as if another program filled the drive meanwhile.
      for reserve in [1 << 20, -1 << 40] as [Int64] {
        let failure = try await target(drive, reserveBytes: reserve).failure(of: large)
        #expect(failure.code == .targetFull, "\(failure)")
        #expect(failure.scope == .target)
        #expect(try drive.entries() == [".platen-target"])
      }
      let small = try await files.delivery(id: "small", remoteName: "small.jpg")
      _ = try await target(drive).deliver(small, journal: journal)
    }
  }

  @Test func `the bytes read back come from the medium`() async throws {
    try await withDrive(.ext4) { drive in
      try placeMarker("stick-1", in: drive.path)
      let bytes = somePicture()
      let image = drive.image
      // A bit changes on the medium while the kernel's own copy is still right.
      let damage: @Sendable () -> Void = {
        guard let handle = FileHandle(forUpdatingAtPath: image),
          let all = try? handle.readToEnd(),
          let place = all.firstRange(of: Data(bytes[50_000..<50_064]))
        else { return }
        try? handle.seek(toOffset: UInt64(place.lowerBound))
        try? handle.write(contentsOf: [bytes[50_000] ^ 1])
        try? handle.close()
      }
      let delivery = try await files.delivery(bytes: bytes, remoteName: "page.jpg")
      let failure = try await target(drive, willReadBack: damage).failure(of: delivery)
      #expect(failure.code == .corrupted)
      #expect(failure.scope == .target)
      #expect(try drive.entries() == [".platen-target"])
      _ = try await target(drive).deliver(delivery, journal: journal)
    }
  }

  @Test func `a drive that vanishes during use is the target's fault`() async throws {
    try await withDrive(.exfat) { drive in
      try placeMarker("stick-1", in: drive.path)
      let delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(drive) { drive.breakConnection() }
      for _ in 0..<2 {
        let failure = try await target.failure(of: delivery)
        #expect(failure.code == .unreachable, "\(failure)")
        #expect(failure.scope == .target)
      }
      try await drive.unplug()
      try await drive.mount()
      let again = try self.target(drive)
      #expect(try await again.deliver(delivery, journal: journal).isDuplicate == false)
      #expect(try drive.entries() == [".platen-target", "MANIFEST.sha256", "page.jpg"])
    }
  }

  @Test func `a read-only drive is reported`() async throws {
    try await withDrive(.ext4) { drive in
      try placeMarker("stick-1", in: drive.path)
      try await drive.makeReadOnly()
      let failure = try await target(drive).failure(of: files.delivery(remoteName: "a/page.jpg"))
      #expect(failure.code == .blocked)
      #expect(failure.scope == .target)
      #expect(failure.text.contains("Read-only file system"))
    }
  }
}
