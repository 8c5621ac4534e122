import Capture
import Devices
import Logging
import SimulatedDevices
import Synchronization

/// A capture session on the simulated board, with a receiver that keeps what it is given.
final class SessionHarness: Sendable {
  let world: SimulatedWorld
  let session: CaptureSession
  let store: PhotoStore
  private let running: Task<Void, any Error>

  init(
    cameraModels: [SimulatedCameraModel] = [SimulatedCameraModel()],
    faults: [CameraFault] = [],
    change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) {
    world = SimulatedWorld(cameraModels: cameraModels)
    for fault in faults { world.inject(fault) }
    var configuration = CaptureSessionConfiguration(
      camera: .first,
      stream: StreamConfiguration(
        size: FrameSize(width: 640, height: 360), frameRate: 50, ringFrameCount: 16),
      stallTimeout: .milliseconds(300), stallPatience: .milliseconds(300))
    change(&configuration)
    let counter = Mutex<Int64>(1)
    let store = PhotoStore()
    self.store = store
    let session = CaptureSession(
      configuration: configuration, cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { count in
        counter.withLock { next in
          defer { next += Int64(count) }
          return next..<(next + Int64(count))
        }
      },
      clock: SystemMonotonicClock(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      receive: { await store.receive($0) })
    self.session = session
    running = Task { try await session.run() }
  }

  /// Waits until readiness is as wanted, however long that takes.
  func wait(
    _ isWanted: @Sendable (Readiness) -> Bool = { $0.state == .ready }
  ) async -> Readiness {
    let events = session.events.listen(limit: 4096)
    let now = await session.readiness
    if isWanted(now) { return now }
    for await event in events {
      if case .readiness(let readiness) = event, isWanted(readiness) { return readiness }
    }
    return await session.readiness
  }

  /// Presses now and returns the record with the outcome.
  func press(at instant: MonotonicInstant? = nil) async throws -> PressRecord? {
    let number = try await session.press(at: instant ?? world.clock.now, source: .button)
    return await session.outcome(of: number)
  }

  /// Ends the session as a shutdown does, and waits for its end.
  func stop() async {
    running.cancel()
    _ = await running.result
  }
}

/// Receives photos: reads the frame's number from the pixels, and may hold photos up.
actor PhotoStore {
  private(set) var numbers: [Int64: UInt32] = [:]
  private(set) var angles: [Int64: Int] = [:]
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private(set) var arrivals = 0

  func hold() { isHolding = true }

  func letGo() {
    isHolding = false
    for continuation in held { continuation.resume() }
    held = []
  }

  func receive(_ photo: CapturedPhoto) async -> PressOutcome {
    arrivals += 1
    if isHolding { await withCheckedContinuation { held.append($0) } }
    guard let reading = try? PageSceneReader.read(photo.frame) else {
      return .refused(.encodingFailed)
    }
    numbers[photo.press.number] = reading.frameNumber
    angles[photo.press.number] = photo.captureAngle
    return .stored(
      StoredPhoto(itemID: "\(photo.press.number)", path: "/", byteCount: 1, sha256: ""))
  }
}
