import Foundation
import Testing
import TestSupport
import Transfer

@testable import Upload

/// The target against OpenSSH's own server.
@Suite(.timeLimit(.minutes(10))) struct SFTPTargetTests {
  private let files = TemporaryDirectory()
  private let place = TemporaryDirectory()
  private let journal = NotedProgress()

  private func configuration(
    _ server: SSHServer, key: String? = nil, hostKey: SSHHostKey? = nil,
    connection: HTTPSettings = HTTPSettings()
  ) -> SFTPConfiguration {
    SFTPConfiguration(
      url: "sftp://127.0.0.1:\(server.port)\(place.path)/a/box", user: NSUserName(),
      proof: .privateKey(SecretFile(path: key ?? server.key)),
      hostKey: hostKey ?? .fingerprint(String(server.fingerprint.dropFirst("SHA256:".count))),
      connection: connection)
  }

  private func objects() throws -> [String] { try filePaths(below: place.path) }

  private func write(_ bytes: [UInt8], as name: String) throws {
    let path = URL(fileURLWithPath: place.path + "/a/box/" + name)
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: path)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: place.path + "/a/box/" + name)))
  }

  @Test func `items arrive whole and once in new directories`() async throws {
    let server = try await SSHServer(in: files)
    let target = try SFTPTarget(configuration(server))
    for byteCount in [0, 1, 100_003, 3_000_000] {
      let name = "2026/11/\"page\" \(byteCount).jpg"
      let picture = somePicture(byteCount: byteCount, seed: UInt64(byteCount))
      let delivery = try await files.delivery(
        id: "id-\(byteCount)", bytes: picture, remoteName: name)
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(receipt.verification == .readBack)
      #expect(receipt.isDuplicate == false)
      #expect(try bytes(name) == picture)
      #expect(try await target.deliver(delivery, journal: journal).isDuplicate)
    }
    #expect(try objects().count == 4, "nothing hidden is left")
    withExtendedLifetime(server) {}
  }

  @Test func `an item that is there is delivered and another file is not replaced`() async throws {
    let server = try await SSHServer(in: files)
    try write(somePicture(), as: "same.jpg")
    try write([1, 2, 3], as: "other.jpg")
    try write([1], as: ".platen-2.part")
    let same = try await files.delivery(id: "1", remoteName: "same.jpg")
    let receipt = try await SFTPTarget(configuration(server)).deliver(same, journal: journal)
    #expect(receipt.isDuplicate)
    #expect(receipt.verification == .readBack)
    let other = try await files.delivery(id: "2", remoteName: "other.jpg")
    let failure = try await SFTPTarget(configuration(server)).failure(of: other)
    #expect(failure.code == .conflict)
    #expect(failure.scope == .item)
    #expect(try bytes("other.jpg") == [1, 2, 3])
    #expect(try objects() == ["a/box/other.jpg", "a/box/same.jpg"])
    withExtendedLifetime(server) {}
  }

  /// A server that loses power after the rename may keep the name without the bytes.
  @Test func `an empty file in the place of a delivered item is a conflict`() async throws {
    let server = try await SSHServer(in: files)
    try write([], as: "page.jpg")
    let target = try SFTPTarget(configuration(server))
    // The second attempt reads on a connection that has been used.
    for attempts in [0, 1] {
      let delivery = try await files.delivery(id: "1", remoteName: "page.jpg", attempts: attempts)
      #expect(try await target.failure(of: delivery).code == .conflict)
    }
    #expect(try bytes("page.jpg") == [])
    withExtendedLifetime(server) {}
  }

  @Test func `a hidden file of an earlier attempt is used or replaced`() async throws {
    let server = try await SSHServer(in: files)
    let target = try SFTPTarget(configuration(server))
    let torn = [UInt8](somePicture().prefix(50_000))
    let wrong = somePicture(seed: 2)
    for (id, left) in [("whole", somePicture()), ("torn", torn), ("wrong", wrong)] {
      try write(left, as: ".platen-\(id).part")
      let delivery = try await files.delivery(id: id, remoteName: "\(id).jpg", attempts: 1)
      #expect(try await target.deliver(delivery, journal: journal).isDuplicate == false)
      #expect(try bytes("\(id).jpg") == somePicture())
    }
    #expect(try objects() == ["a/box/torn.jpg", "a/box/whole.jpg", "a/box/wrong.jpg"])
    withExtendedLifetime(server) {}
  }

  @Test func `a server with another host key gets nothing`() async throws {
    let server = try await SSHServer(in: files)
    let others = files.path + "/known_hosts"
    try "".write(toFile: others, atomically: false, encoding: .utf8)
    let accepted: [SSHHostKey] = [
      .fingerprint(String(repeating: "A", count: 43)), .knownHosts(path: others),
      .knownHosts(path: others + "-missing"),
    ]
    for hostKey in accepted {
      let failure = try await SFTPTarget(configuration(server, hostKey: hostKey))
        .failure(of: files.delivery())
      #expect(failure.code == .blocked)
      #expect(failure.scope == .target)
      #expect(failure.text.contains("host key"))
    }
    #expect(try objects() == [])
    try server.knownHost.write(toFile: others, atomically: false, encoding: .utf8)
    let target = try SFTPTarget(configuration(server, hostKey: .knownHosts(path: others)))
    #expect(
      try await target.deliver(files.delivery(), journal: journal).verification == .readBack)
    withExtendedLifetime(server) {}
  }

  @Test func `a key that the server does not know is refused`() async throws {
    let server = try await SSHServer(in: files)
    let other = files.path + "/other"
    try await SSHServer.makeKey(other)
    for key in [other, files.path + "/missing"] {
      let failure = try await SFTPTarget(configuration(server, key: key))
        .failure(of: files.delivery())
      #expect(failure.code == .unauthorized)
      #expect(failure.scope == .target)
    }
    #expect(try objects() == [])
    withExtendedLifetime(server) {}
  }

  @Test func `a server killed in the middle of an item gets the item later`() async throws {
    let server = try await SSHServer(in: files)
    let picture = somePicture(byteCount: 3_000_000)
    let delivery = try await files.delivery(id: "1", bytes: picture, remoteName: "page.jpg")
    let slow = HTTPSettings(bandwidth: BandwidthShare(bytesPerSecond: 20_000))
    let target = try SFTPTarget(configuration(server, connection: slow))
    let attempt = Task { [journal] () -> DeliveryFailure? in
      do throws(DeliveryFailure) {
        _ = try await target.deliver(delivery, journal: journal)
        return nil
      } catch {
        return error
      }
    }
    try await eventually { ((try? bytes(".platen-1.part").count) ?? 0) > 0 }
    try await server.end()
    let failure = try #require(await attempt.value)
    #expect(failure.code == .unreachable)
    #expect(failure.scope == .target)
    #expect(try objects() == ["a/box/.platen-1.part"])
    let again = try await SSHServer(in: files, port: server.port)
    let receipt = try await SFTPTarget(configuration(again)).deliver(delivery, journal: journal)
    #expect(receipt.isDuplicate == false)
    #expect(try bytes("page.jpg") == picture)
    #expect(try objects() == ["a/box/page.jpg"])
    withExtendedLifetime(again) {}
  }

  @Test func `a file in place of a directory blocks the target`() async throws {
    let server = try await SSHServer(in: files)
    try Data([1]).write(to: URL(fileURLWithPath: place.path + "/a"))
    let failure = try await SFTPTarget(configuration(server)).failure(of: files.delivery())
    #expect(failure.scope == .target)
    #expect(try objects() == ["a"])
    withExtendedLifetime(server) {}
  }
}
