import API
import Devices
import PageSense
import SimulatedDevices
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The page in frames of a session that runs on the simulated board.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PageMakerTests {
  /// The duration of a reading.
  private static let duration = Duration.milliseconds(300)

  private func withRig(_ body: (PageRig) async throws -> Void) async throws {
    let rig = try await PageRig { world, counter, clock in
      // The frame is the camera's again while its copy is read.
      #expect(counter.leases.out == 0)
      clock.advance(by: Self.duration)
      return PageRig.findings(world)
    }
    do {
      try await body(rig)
    } catch {
      await rig.end()
      throw error
    }
    await rig.end()
  }

  @Test func `many callers cost no more than one, and a quarter of a core`() async throws {
    try await withRig { rig in
      let frames = try await withThrowingTaskGroup(of: UInt64.self) { group in
        for _ in 0..<50 { group.addTask { try await rig.pages.look().info.id } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(frames.count == 1)
      #expect(await rig.pages.readingCount == 1)
      // The reading has taken 300 ms, so the next one is 900 ms later.
      rig.clock.advance(by: Self.duration * 3 - .milliseconds(1))
      _ = try await rig.pages.look()
      #expect(await rig.pages.readingCount == 1)
      rig.clock.advance(by: .milliseconds(1))
      _ = try await rig.pages.look()
      #expect(await rig.pages.readingCount == 2)
    }
  }

  @Test func `a hot rig gives up the page before the live picture`() async throws {
    try await withRig { rig in
      _ = try await rig.pages.look()
      await rig.session.apply(CaptureConstraints(preview: .limited(framesPerSecond: 2)))
      let error = await #expect(throws: APIError.self) { try await rig.pages.look() }
      #expect(error?.code == .unavailable)
      #expect(await rig.pages.readingCount == 1)
      _ = try await rig.previews.look()
      await rig.session.apply(.none)
      rig.clock.advance(by: .seconds(10))
      _ = try await rig.pages.look()
      #expect(await rig.pages.readingCount == 2)
    }
  }

  @Test func `a warning that is switched off is not shown, and the detector knows it`() async throws
  {
    try await withRig { rig in
      let pages = PageMaker(
        previews: rig.previews, warnings: [.glare],
        read: { _, _ in
          var findings = PageFindings()
          findings.warnings = [.glare, .pageEmpty]
          return PageReader.Reading(findings)
        }, clock: rig.clock)
      let look = try await pages.look()
      #expect(look.shown.warnings == [.glare] && look.findings.warnings == [.glare, .pageEmpty])
    }
  }

  @Test func `the findings are those of the frame`() async throws {
    try await withRig { rig in
      let look = try await rig.pages.look()
      #expect(look.findings == PageRig.findings(rig.world))
      #expect(look.frameSize == FrameSize(width: 640, height: 480) && look.previewAngle == 0)
    }
  }
}
