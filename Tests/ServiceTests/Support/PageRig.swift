import Devices
import Logging
import PageSense
import SimulatedDevices
import TestSupport

@testable import Capture
@testable import Service

/// A session on the simulated board with makers of previews and of pages.
struct PageRig {
  let session: CaptureSession
  let world: SimulatedWorld
  let counter: LeaseCounter
  /// The clock of the pauses of the makers.
  let clock: ManualClock
  let previews: PreviewMaker
  let pages: PageMaker
  private let running: Task<Void, any Error>

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - letters: the look of the letters of every page; `nil` for pages without text.
  ///   - read: reads the page in a frame.
  init(
    letters: PageLook? = nil,
    read: @escaping @Sendable (SimulatedWorld, LeaseCounter, ManualClock) -> PageFindings
  ) async throws {
    let system = SystemMonotonicClock()
    let (world, counter) = (SimulatedWorld(clock: system), LeaseCounter())
    let still = ManualClock(now: system.now)
    let session = CaptureSession(
      configuration: .patient(FrameSize(width: 640, height: 480)),
      cameras: counter.cameras(of: SimulatedCameraSystem(world: world)),
      numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) }, clock: system,
      logger: RecordedLog().logger,
      receive: { photo, _ in
        .stored(StoredPhoto(itemID: "\(photo.press.number)", path: "", byteCount: 1, sha256: ""))
      })
    (self.session, self.world, self.counter, clock) = (session, world, counter, still)
    let slept = SleptClock(manual: still)
    previews = PreviewMaker(session: session, clock: slept)
    pages = PageMaker(
      previews: previews,
      read: { _, _ in PageReader.Reading(read(world, counter, still), look: letters) },
      clock: slept)
    running = Task { try await session.run() }
    try await eventually { session.readiness.state == .ready }
  }

  /// Ends the session.
  func end() async {
    running.cancel()
    _ = await running.result
  }

  /// Returns the findings about the page of the simulated scene, with the hand that is there.
  static func findings(_ world: SimulatedWorld) -> PageFindings {
    var findings = PageFindings()
    findings.outline = [(0.28, 0.08), (0.72, 0.08), (0.72, 0.92), (0.28, 0.92)].map {
      PageFindings.Point(x: $0.0, y: $0.1)
    }
    findings.warnings = world.hasHand ? [.pageCovered] : []
    return findings
  }
}
