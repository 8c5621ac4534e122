import Capture
import Devices
import Imaging
import Logging
import RigConfiguration
import SimulatedDevices
import Spool
import Synchronization
import TestSupport

@testable import Service

/// A session on the simulated board whose photos go through the pipeline into a spool.
///
/// A test may hold photos up before the pipeline, or refuse them there.
final class PipelineBench: Sendable {
  let world = SimulatedWorld()
  let spool: Spool
  let session: CaptureSession
  private let gate: Gate
  private let running: Task<Void, any Error>

  /// Starts the session.
  ///
  /// - Parameters:
  ///   - page: the use of what is read of a page.
  ///   - readPage: the reading of a page; `nil` reads no pages.
  ///   - duplicates: the search for pictures that look nearly the same.
  ///   - logger: the logger of the pipeline and the session.
  ///   - hasLamp: whether the session has the world's lamp.
  ///   - availableMemory: the machine's free memory in bytes; `nil` for enough.
  ///   - cameras: makes the cameras that the session sees from the world's cameras.
  init(
    _ scratch: ScratchSpool, image: ImageSection = ImageSection(),
    page: PageSection = PageSection(), readPage: PhotoPipeline.PageReading? = nil,
    duplicates: NearDuplicates.Configuration = NearDuplicates.Configuration(),
    logger: Logger = .silent,
    hasLamp: Bool = false, availableMemory: Int? = nil,
    cameras: (any CameraSystem) -> any CameraSystem = { $0 },
    change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) async throws {
    let spool = try await scratch.open()
    let pipeline = PhotoPipeline(
      rig: .test, image: image, page: page, readPage: readPage, duplicates: duplicates,
      availableMemory: { availableMemory }, spool: spool, logger: logger)
    var configuration = CaptureSessionConfiguration.patient(FrameSize(width: 960, height: 540))
    configuration.settings.prioritization = image.prioritization
    configuration.settings.isFastCapturePrioritized = image.isFastCapturePrioritized
    configuration.indistinctPrioritizations = image.indistinctPrioritizations
    change(&configuration)
    let gate = Gate()
    let inspector = FrameInspector()
    let session = CaptureSession(
      configuration: configuration, cameras: cameras(SimulatedCameraSystem(world: world)),
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: world.clock, logger: logger, lamp: hasLamp ? SimulatedLamp(world: world) : nil,
      findDamage: { await inspector.damage(of: $0) },
      receive: { photo, deliver in
        await gate.pass(photo.press.number)
        if gate.isRefused(photo.press.number) { return .refused(.encodingFailed) }
        return await pipeline.process(photo, deliver: deliver)
      })
    await pipeline.tellTextAngles { [weak session] angle, photo in
      await session?.update(textAngle: angle, of: photo)
    }
    await pipeline.compareWithEarlierRun()
    self.spool = spool
    self.session = session
    self.gate = gate
    let events = session.events.listen(limit: 1024)
    running = Task { try await session.run() }
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
  }

  /// Holds photos up until ``letGo()``, after which they go on beside each other, in any order.
  func hold() { gate.close() }

  func letGo() { gate.open() }

  /// Lets the photo of one press go on; the others stay where they are.
  func letGo(_ number: Int64) { gate.open(for: number) }

  /// Refuses the picture of the press with that number.
  func refuse(_ number: Int64) { gate.refuse(number) }

  /// Presses ahead of now, so that the exposure comes after all that was changed before.
  func pressAhead() async throws -> Int64 {
    try await session.press(
      at: world.clock.now.advanced(by: .milliseconds(200)), source: .button)
  }

  func press(_ settings: PhotoSettings = PhotoSettings()) async throws -> Int64 {
    try await session.press(at: world.clock.now, source: .button, settings: settings)
  }

  /// Returns the stored item of a press; `nil` if the press was refused.
  func stored(_ number: Int64) async throws -> ItemRecord? {
    guard case .stored? = await session.outcome(of: number)?.outcome else { return nil }
    return try await spool.item(pressNumber: number)
  }

  func stop() async {
    running.cancel()
    _ = await running.result
    await spool.close()
  }
}

extension PhotoPipeline.Rig {
  static let test = PhotoPipeline.Rig(
    id: "test", make: "Platen", model: "Test", software: "Platen", bootID: nil)
}

extension ImageSection {
  /// Reads a section from the inside of a YAML mapping.
  static func read(_ section: String) throws -> ImageSection {
    let text = """
      rig: { id: rig-1 }
      board: simulated
      image: { \(section) }
      spool: { directory: /spool }
      """
    return try PlatenConfiguration.parse(text, file: "platen.yaml").image
  }
}

/// A gate that lets photos pass while it is open.
private final class Gate: Sendable {
  private struct State {
    var isOpen = true
    var passing: Set<Int64> = []
    var waiting: [Int64: CheckedContinuation<Void, Never>] = [:]
    var refused: Set<Int64> = []
  }

  private let state = Mutex(State())

  func close() { state.withLock { $0.isOpen = false } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  func open(for number: Int64) {
    let waiting = state.withLock { state in
      state.passing.insert(number)
      return state.waiting.removeValue(forKey: number)
    }
    waiting?.resume()
  }

  func pass(_ number: Int64) async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        let isOpen = state.isOpen || state.passing.contains(number)
        if !isOpen { state.waiting[number] = continuation }
        return isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func refuse(_ number: Int64) { state.withLock { _ = $0.refused.insert(number) } }

  func isRefused(_ number: Int64) -> Bool { state.withLock { $0.refused.contains(number) } }
}
