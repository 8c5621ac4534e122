import Devices
import Foundation
import TestSupport
import Testing

@testable import CameraHost

extension HostedCameras {
  /// Locks work on all files, so plain files stand in for the nodes.
  @Suite struct CameraNodesTests {
    private func withNodes(_ names: [String], _ body: (String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("platen-nodes-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in names {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      try body(folder.path)
    }

    @Test func `the process that has a camera is named`() throws {
      try withNodes(["media0", "media1"]) { folder in
        #expect(CameraNodes.holder(besides: [], in: folder) == nil)
        let helper = try Helper("lock", "\(folder)/media1")
        #expect(helper.line() == "locked")
        let holder = try #require(CameraNodes.holder(besides: [], in: folder))
        #expect(holder.processID == helper.processID)
        #expect(
          holder.description
            == "process \(helper.processID) (\"camerahostfixtu\") uses \(folder)/media1")
        #expect(CameraNodes.holder(besides: [helper.processID], in: folder) == nil)
        helper.end()
        #expect(CameraNodes.holder(besides: [], in: folder) == nil)
      }
    }

    @Test func `a look takes no lock away`() throws {
      try withNodes(["media0"]) { folder in
        let helper = try Helper("lock", "\(folder)/media0")
        #expect(helper.line() == "locked")
        for _ in 0..<10 { _ = CameraNodes.holder(besides: [], in: folder) }
        #expect(CameraNodes.holder(besides: [], in: folder) != nil)
      }
    }

    @Test func `only nodes of the requested kind are listed`() throws {
      let names = ["media10", "media2", "media", "mediax", "video0", "media0a", "video"]
      try withNodes(names) { folder in
        #expect(
          CameraNodes.nodes("media", in: folder) == ["\(folder)/media2", "\(folder)/media10"])
        #expect(CameraNodes.nodes("video", in: folder) == ["\(folder)/video0"])
      }
      #expect(CameraNodes.nodes("media", in: "/nonexistent").isEmpty)
    }

    /// Runs a closure whose files are opened as those of `nobody`, since root may open every node.
    ///
    /// The user of file accesses is the thread's own (setfsuid(2)), of which Swift's Glibc has no
    /// declaration.
    private func withoutRoot(_ body: () throws -> Void) throws {
      let symbol = try #require(dlsym(nil, "setfsuid"))
      let setUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
      let user = geteuid()
      _ = setUser(user == 0 ? 65_534 : user)
      defer { _ = setUser(user) }
      try body()
    }

    @Test func `forbidden nodes are told apart from free ones`() throws {
      try withNodes(["media0", "media1", "video0", "other0"]) { folder in
        #expect(CameraNodes.closed(in: folder).isEmpty)
        #expect(chmod("\(folder)/media0", 0o666) == 0)
        for name in ["media1", "video0", "other0"] {
          #expect(chmod("\(folder)/\(name)", 0) == 0)
        }
        try withoutRoot {
          #expect(CameraNodes.closed(in: folder) == ["\(folder)/media1", "\(folder)/video0"])
          #expect(CameraNodes.holder(besides: [], in: folder) == nil)
        }
        // The thread has its rights again.
        #expect(CameraNodes.closed(in: folder).isEmpty == (geteuid() == 0))
      }
    }

    @Test func `free nodes are not closed`() throws {
      try withNodes(["media0", "video0"]) { folder in
        #expect(CameraNodes.closed(in: folder).isEmpty)
      }
      #expect(CameraNodes.closed(in: "/nonexistent").isEmpty)
    }

    @Test func `a file is no video node`() throws {
      try withNodes(["video0"]) { folder in
        #expect(CameraNodes.holder(besides: [], in: folder) == nil)
      }
    }

    /// A program that uses V4L2 directly takes no lock.
    @Test func `the process that has a node open is named`() throws {
      try withNodes(["media0", "video0", "video1", "other0"]) { folder in
        // The processes of other tests must not count, nor this test's own.
        #expect(CameraNodes.user(besides: [], in: folder) == nil)
        let stranger = try Helper("lock", "\(folder)/other0")
        #expect(stranger.line() == "locked")
        #expect(CameraNodes.user(besides: [], in: folder) == nil)
        let looker = try Helper("lock", "\(folder)/media0")
        #expect(looker.line() == "locked")
        #expect(CameraNodes.user(besides: [], in: folder)?.processID == looker.processID)
        let user = try Helper("lock", "\(folder)/video1")
        #expect(user.line() == "locked")
        let found = try #require(CameraNodes.user(besides: [], in: folder))
        #expect(
          found.description
            == "process \(user.processID) (\"camerahostfixtu\") has \(folder)/video1 open")
        #expect(
          CameraNodes.user(besides: [user.processID], in: folder)?.processID == looker.processID)
        #expect(CameraNodes.user(besides: [], in: folder, processes: "/nonexistent") == nil)
      }
    }

    struct Told: Sendable, CustomTestStringConvertible {
      var code: DeviceError.Code
      var isLocked: Bool
      var isOpen: Bool
      var cause: String
      var testDescription: String { "\(code.rawValue) \(isLocked) \(isOpen)" }
    }

    static let told = [
      Told(code: .busy, isLocked: true, isOpen: true, cause: "process 7 (\"a\") uses /dev/media0"),
      Told(
        code: .busy, isLocked: false, isOpen: true, cause: "process 8 (\"b\") has /dev/video0 open"),
      Told(code: .busy, isLocked: false, isOpen: false, cause: "said"),
      Told(
        code: .absent, isLocked: true, isOpen: true,
        cause: "said; process 7 (\"a\") uses /dev/media0, which may be the reason"),
      // A process that has another node open is no reason for these errors.
      Told(code: .absent, isLocked: false, isOpen: true, cause: "said"),
      Told(code: .permissionDenied, isLocked: true, isOpen: true, cause: "said"),
    ]

    @Test(arguments: told) func `the error names the process that has the camera`(_ given: Told) {
      let system = HostedCameraSystem(
        launch: HostLaunch(path: "/nonexistent", arguments: []),
        findHolder: { _ in
          given.isLocked ? CameraHolder(node: "/dev/media0", processID: 7, name: "a") : nil
        },
        findUser: { _ in
          given.isOpen
            ? CameraHolder(node: "/dev/video0", processID: 8, name: "b", sign: .open) : nil
        }, logger: .silent)
      let error = system.named(
        DeviceError(given.code, device: "cam0", problem: "cannot be opened", cause: "said"))
      #expect(error.code == given.code)
      #expect(error.device == "cam0")
      #expect(error.cause == given.cause)
    }

    @Test func `an invisible holder still counts`() {
      #expect(
        CameraHolder(node: "/dev/media0", processID: 0).description
          == "another process uses /dev/media0")
      #expect(
        CameraHolder(node: "/dev/media0", processID: 7).description
          == "process 7 uses /dev/media0")
    }
  }
}
