import CameraHost
import Foundation
import TestSupport
import Testing

@testable import Recorder

@Suite struct RecorderLaunchTests {
  private func place(_ program: String) throws {
    let url = URL(fileURLWithPath: program)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    #expect(
      FileManager.default.createFile(
        atPath: program, contents: Data(), attributes: [.posixPermissions: 0o755]))
  }

  @Test func `the program is beside the service, or in the package's folder`() async throws {
    try await withTemporaryDirectory { directory in
      let service = directory + "/usr/bin/platend"
      try place(service)
      #expect(RecorderLaunch.find(beside: service) == nil)
      let packaged = directory + "/usr/lib/platen/platen-recorder"
      try place(packaged)
      #expect(RecorderLaunch.find(beside: service)?.path == packaged)
      let built = directory + "/usr/bin/platen-recorder"
      try place(built)
      let launch = RecorderLaunch.find(beside: service)
      #expect(launch?.path == built && launch?.name == "platen-recorder")
    }
  }
}
