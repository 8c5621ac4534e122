import CameraHost
import Devices
import Foundation
import TestSupport
import Testing

extension HostedCameras {
  /// Many deaths of camera processes, after which all resources are free again.
  @Suite struct HostCampaignTests {
    @Test func `starts, stops and kills leave no resources behind`() async throws {
      let system = Fixture.system("simulated")
      var fast = Fixture.small
      fast.frameRate = 120
      var early: Holdings?
      var leases: [FrameLease] = []
      // The sanitizers look for other faults than growth over many cycles.
      let cycles = Repetitions.of(500, brief: 60)
      for cycle in 0..<cycles {
        let camera = try await system.openFirst()
        let stream = try await camera.start(fast)
        let frame = try #require(await stream.events.frames(1).first)
        // The last lease ends when the next begins: in another stream, and often another process.
        leases = [await camera.lease(frame.id)].compactMap { $0 }
        #expect(try leases.allSatisfy { try $0.withBytes { !$0.isEmpty } })
        switch cycle % 3 {
        case 0: kill(try #require(system.processID), SIGKILL)
        case 1: await camera.stop()
        default: break
        }
        if cycle % 3 == 0 {
          guard case .streamFailed = await stream.events.last() else {
            Issue.record("cycle \(cycle): the stream ended without a reason")
            return
          }
        }
        await camera.close()
        if cycle == 49 {
          leases = []
          early = try Holdings.now()
        }
      }
      leases = []
      await system.shutDown()
      let before = try #require(early)
      // A busy moment may add a few threads to Dispatch's pool.
      let after = try await Holdings.settled { now in
        now.children == 0 && now.mappings == 0 && now.descriptors <= before.descriptors
          && now.threads <= before.threads + 4
      }
      print(
        "figure: \(cycles) cycles with \(system.startCount) camera processes: \(before) → \(after)")
      // AddressSanitizer keeps freed memory.
      if cycles == 500 { #expect(after.kilobytes <= before.kilobytes + 16_384) }
    }
  }
}
