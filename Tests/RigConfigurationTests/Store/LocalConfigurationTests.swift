import API
import Foundation
import Testing
import TestSupport

@testable import RigConfiguration

/// The permission to change the configuration file while no service runs.
@Suite(.timeLimit(.minutes(10))) struct LocalConfigurationTests {
  private static let open = """
    rig: { id: rig-1 }
    board: simulated
    camera:
      frame_rate: 30
    spool: { directory: /var/lib/platen }

    """
  private static let closed = open + "api: { act: { groups: [root] } }\n"
  private static let serviceUser: UInt32 = 4243

  /// Makes a file that is removed after the test.
  private func withFile(
    _ text: String, _ body: (_ path: String) async throws -> Void
  ) async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path
    let path = directory + "/platen.yaml"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try await body(path)
  }

  private func contents(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func file(
    _ path: String, for user: UInt32 = 4242, groups: Set<UInt32> = [4242]
  ) -> LocalConfiguration {
    LocalConfiguration(
      path: path,
      caller: Caller(account: .user(user), name: "eve", groupIDs: groups, origin: .unknown),
      serviceUser: Self.serviceUser)
  }

  private static var change: LocalConfigurationRequest {
    var request = LocalConfigurationRequest()
    request.change = ConfigurationChange(set: ["camera.frame_rate": "25"])
    return request
  }

  private static var rollback: LocalConfigurationRequest {
    var request = LocalConfigurationRequest()
    request.rollback = ConfigurationRollback()
    return request
  }

  @Test(arguments: [("act", "api.act"), ("read", "api.read")])
  func `a caller that the service would refuse is refused`(_ section: String, _ setting: String)
    async throws
  {
    let text = Self.closed.replacing("act", with: section)
    try await withFile(text) { path in
      // The history holds an earlier text to roll back to.
      _ = try await file(path, for: 0).perform(Self.change)
      let changed = contents(path)
      for request in [Self.change, Self.rollback] {
        let error = await #expect(throws: APIError.self) {
          try await file(path).perform(request)
        }
        #expect(error?.code == .forbidden)
        #expect(error?.message.contains("user \"eve\" (4242)") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("\"\(setting)\"") == true)
      }
      #expect(changed.contains("frame_rate: 25") && contents(path) == changed)
    }
  }

  /// Without a service account the owner of the spool is its user, and never the caller.
  @Test(.enabled(if: getuid() != 0 && getpwnam("platen") == nil))
  func `a caller cannot claim to be the service`() async throws {
    let text = Self.closed.replacing("/var/lib/platen", with: "/nonexistent/platen")
    try await withFile(text) { path in
      let caller = Caller(account: .user(getuid()), name: "eve", groupIDs: [], origin: .unknown)
      let error = await #expect(throws: APIError.self) {
        try await LocalConfiguration(path: path, caller: caller, serviceUser: nil)
          .perform(Self.change)
      }
      #expect(error?.code == .forbidden)
    }
  }

  @Test func `a caller without permission to act may read`() async throws {
    try await withFile(Self.closed) { path in
      var show = LocalConfigurationRequest()
      show.show = true
      let answer = try await file(path).perform(show)
      let report = try APICoding.decode(ConfigurationReport.self, from: answer)
      #expect(report.text == Self.closed)
      var check = LocalConfigurationRequest()
      check.check = Self.open
      _ = try await file(path).perform(check)
    }
  }

  @Test(arguments: [(0, 4242), (serviceUser, 4242), (4242, 0)] as [(UInt32, UInt32)])
  func `a caller that the service would allow is allowed`(_ user: UInt32, _ group: UInt32)
    async throws
  {
    try await withFile(Self.closed) { path in
      _ = try await file(path, for: user, groups: [group]).perform(Self.change)
      #expect(contents(path).contains("frame_rate: 25"))
      _ = try await file(path, for: user, groups: [group]).perform(Self.rollback)
      #expect(contents(path) == Self.closed)
    }
  }

  @Test func `the permissions decide if no account is named`() async throws {
    try await withFile(Self.open) { path in
      _ = try await file(path).perform(Self.change)
      #expect(contents(path).contains("frame_rate: 25"))
    }
  }

  /// A directory of accounts may come up later; until then the name stands for no account.
  @Test func `an unknown name allows no account`() async throws {
    try await withFile(Self.closed.replacing("[root]", with: "[no-such-group]")) { path in
      let error = await #expect(throws: APIError.self) { try await file(path).perform(Self.change) }
      #expect(error?.code == .forbidden)
      #expect(error?.message.contains("there is no group \"no-such-group\"") == true)
      _ = try await file(path, for: 0).perform(Self.change)
    }
  }

  /// The service would not start with the file, so anyone with write permission may repair it.
  @Test func `an unusable file can be repaired`() async throws {
    try await withFile(Self.closed.replacing("30", with: "300")) { path in
      _ = try await file(path).perform(Self.change)
      #expect(contents(path).contains("frame_rate: 25"))
    }
  }

  @Test func `a missing file can be restored`() async throws {
    try await withFile(Self.closed) { path in
      _ = try await file(path, for: 0).perform(Self.change)
      try FileManager.default.removeItem(atPath: path)
      _ = try await file(path).perform(Self.rollback)
      #expect(contents(path) == Self.closed)
    }
  }
}
