import CLibcameraShim
import Devices
import Logging
import TestSupport
import Testing

@testable import LinuxDevices

extension LibcameraTests {
  @Suite struct LibcameraSystemTests {
    private func makeSystem() -> LibcameraSystem {
      #expect(MainThread.blocksChildEnds)
      return LibcameraSystem(verbosity: .errors, logger: Logger(label: "test"))
    }

    private var hasMediaNodes: Bool {
      var nodes = platen_cameras_preflight_result()
      return platen_cameras_preflight("/dev", &nodes) == 0 && nodes.media_nodes > 0
    }

    @Test func `without nodes there are no cameras and no error`() async throws {
      let system = makeSystem()
      let cameras = try await system.cameras()
      #expect(hasMediaNodes || cameras.isEmpty)
      #expect(cameras.map(\.id) == cameras.map(\.id).sorted())
      await system.shutDown()
    }

    @Test func `a missing camera is absent`() async throws {
      let system = makeSystem()
      let error = await #expect(throws: DeviceError.self) {
        try await system.open("no such camera")
      }
      #expect(error?.code == .absent)
      #expect(
        error?.description
          == "\"no such camera\" cannot be opened: libcamera lists no camera with this ID")
      await system.shutDown()
    }

    @Test func `a second system is busy until the first is shut down`() async throws {
      let first = makeSystem()
      let second = makeSystem()
      _ = try await first.cameras()
      let error = await #expect(throws: DeviceError.self) { try await second.cameras() }
      #expect(error?.code == .busy)
      await first.shutDown()
      _ = try await second.cameras()
      await second.shutDown()
    }

    @Test func `a system that was shut down starts again`() async throws {
      let system = makeSystem()
      await system.shutDown()
      let before = try await system.cameras()
      for _ in 0..<20 {
        await system.shutDown()
        #expect(try await system.cameras() == before)
      }
      await system.shutDown()
      await system.shutDown()
    }

    @Test func `a child that ends as libcamera starts does no harm`() async throws {
      let system = makeSystem()
      let children = Task.detached {
        while !Task.isCancelled { _ = try? await LocalProgram("/bin/true", []).run() }
      }
      for _ in 0..<200 {
        _ = try await system.cameras()
        await system.shutDown()
      }
      children.cancel()
      await children.value
    }

    @Test(arguments: LibcameraSystem.Verbosity.allCases)
    func `each verbosity is one of the shim's`(verbosity: LibcameraSystem.Verbosity) {
      let level = platen_cameras_log_level(rawValue: verbosity.rawValue)
      #expect([PLATEN_CAMERAS_LOG_ERROR, PLATEN_CAMERAS_LOG_WARNING].contains(level))
      #expect(platen_cameras_set_log_level(level) == 0)
    }
  }
}
