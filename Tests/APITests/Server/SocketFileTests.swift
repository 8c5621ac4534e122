import Console
import Devices
import Foundation
import Testing
import Synchronization
import TestSupport

@testable import API

extension ServerTests {
  @Suite struct SocketFileTests {
    /// Binds a socket and closes it: the remains of a killed service.
    private func leaveStaleSocket(at path: String) throws {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      let result = UnixAddress(path).with { bind(descriptor, $0, $1) }
      try #require(result == 0)
    }

    /// Returns the reason for which a path cannot be used; `nil` if it can.
    private func problem(at path: String) -> SocketError.Code? {
      do throws(SocketError) {
        try SocketFile(path: path).makeRoom()
        return nil
      } catch {
        return error.code
      }
    }

    @Test func `a stale socket is replaced`() async throws {
      try await withTemporaryDirectory { directory in
        let path = directory + "/stale"
        try leaveStaleSocket(at: path)
        let status = try await withServer(FakeRig(), at: path) { try await $0.client.status() }
        #expect(status == Samples.status)
      }
    }

    @Test func `a second server is refused and the first goes on`() async throws {
      try await withServer(FakeRig()) { server in
        await #expect {
          try await withServer(FakeRig(), at: server.socketPath) { _ in }
        } throws: { error in
          guard let error = error as? SocketError else { return false }
          return error.code == .inUse && error.description.contains(server.socketPath)
        }
        let status = try await server.client.status()
        #expect(status == Samples.status)
      }
    }

    @Test func `a socket that cannot be bound is named`() async throws {
      // No socket can be made in sysfs, not even by root.
      let path = "/sys/platend.sock"
      await #expect {
        try await withServer(FakeRig(), at: path) { _ in }
      } throws: { error in
        guard let error = error as? SocketError else { return false }
        return error.code == .system
          && error.description.hasPrefix("the API's socket \"\(path)\" cannot be opened: ")
      }
    }

    @Test(arguments: ["file", "directory", "link"])
    func `a file that is no socket is left alone`(_ kind: String) async throws {
      try await withTemporaryDirectory { directory in
        let path = directory + "/x"
        let files = FileManager.default
        switch kind {
        case "file": try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        case "directory":
          try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        default:
          try leaveStaleSocket(at: directory + "/y")
          try files.createSymbolicLink(atPath: path, withDestinationPath: directory + "/y")
        }
        #expect(problem(at: path) == .notASocket)
        #expect(files.fileExists(atPath: path))
      }
    }

    @Test func `impossible paths are refused`() throws {
      #expect(problem(at: "") == .badPath)
      let long = "/tmp/" + String(repeating: "a", count: 103)
      #expect(long.utf8.count == 108)
      #expect(problem(at: long) == .badPath)
      #expect(problem(at: String(long.dropLast())) == nil)
      #expect(problem(at: "/tmp/no-such-directory/s") == .directoryMissing)
      #expect(problem(at: "/dev/null/s") != nil)
    }

    @Test func `only the owner and the group may use the socket`() async throws {
      for mode in [0o660, 0o600] as [UInt32] {
        try await withServer(FakeRig(), edit: { $0.socketMode = mode }) { server in
          let attributes = try FileManager.default.attributesOfItem(atPath: server.socketPath)
          #expect(attributes[.posixPermissions] as? Int == Int(mode))
        }
      }
    }

    @Test func `the socket is given to the group`() async throws {
      let name = try await Tool.run("/usr/bin/id", ["-gn"]).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      try await withServer(FakeRig(), edit: { $0.socketGroup = name }) { server in
        // A look-up that took too long is retried.
        try await eventually {
          let attributes = try FileManager.default.attributesOfItem(atPath: server.socketPath)
          return attributes[.groupOwnerAccountName] as? String == name
        }
      }
    }

    /// A directory of accounts may come up later; pictures are taken meanwhile.
    @Test func `an unknown group leaves the socket to its owner`() async throws {
      let said = Mutex<[String?]>([])
      try await withServer(
        FakeRig(), edit: { $0.socketGroup = "no-such-group" },
        onProblem: { place, problem in
          if place == .socket { said.withLock { $0.append(problem) } }
        }
      ) { server in
        let attributes = try FileManager.default.attributesOfItem(atPath: server.socketPath)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        _ = try await server.client.status()
        let problem =
          "the API's socket \"\(server.socketPath)\" cannot be given to the group "
          + "\"no-such-group\", which does not exist"
        try await eventually { said.withLock { $0.contains(problem) } }
      }
    }
  }
}
