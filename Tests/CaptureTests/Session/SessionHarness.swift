import Capture
import Devices
import SimulatedDevices
import TestSupport

/// A capture session on the simulated board, with a receiver that keeps its photos.
final class SessionHarness: Sendable {
  let world: SimulatedWorld
  let cameras: SimulatedCameraSystem
  let session: CaptureSession
  let store: PhotoStore
  private let running: Task<Void, any Error>

  init(
    cameraModels: [SimulatedCameraModel] = [SimulatedCameraModel()],
    faults: [CameraFault] = [], clock: any MonotonicClock = SystemMonotonicClock(),
    calibrations: (any CalibrationStorage)? = nil,
    hasLamp: Bool = false, lamp: (any Lamp)? = nil, lamps: [String] = [],
    rememberedFrameCount: Int = 8192,
    change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) {
    world = SimulatedWorld(
      clock: clock, cameraModels: cameraModels, rememberedFrameCount: rememberedFrameCount)
    for fault in faults { world.inject(fault) }
    cameras = SimulatedCameraSystem(world: world)
    // A real machine may be busy for seconds: frames last as long, and tests of stalls set their
    // own timeouts.
    let isReal = clock is SystemMonotonicClock
    let timeout: Duration = isReal ? .seconds(60) : .milliseconds(300)
    var configuration = CaptureSessionConfiguration(
      camera: .first,
      stream: StreamConfiguration(
        size: FrameSize(width: 640, height: 360), frameRate: isReal ? 5 : 50,
        ringFrameCount: isReal ? 26 : 16),
      stallTimeout: timeout, recoveryTimeout: timeout)
    if isReal { configuration.maximumWait = .seconds(60) }
    change(&configuration)
    let store = PhotoStore()
    self.store = store
    let session = CaptureSession(
      configuration: configuration, cameras: cameras,
      numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) },
      clock: clock,
      logger: .silent,
      calibrations: calibrations, lamp: lamp ?? (hasLamp ? SimulatedLamp(world: world) : nil),
      lamps: Dictionary(
        uniqueKeysWithValues: lamps.map { [world] name in
          (name, SimulatedLamp(world: world, name: name) as any Lamp)
        }),
      receive: { await store.receive($0, deliver: $1) })
    self.session = session
    running = Task { try await session.run() }
  }

  /// Waits without a limit until readiness is as wanted.
  func wait(
    _ isWanted: @Sendable (Readiness) -> Bool = { $0.state == .ready }
  ) async -> Readiness {
    let events = session.events.listen(limit: 4096)
    let now = session.readiness
    if isWanted(now) { return now }
    return await wait(in: events, isWanted)
  }

  /// Waits until events report readiness as wanted.
  ///
  /// Listeners must begin before they cause a change, because its readiness may be over before a
  /// look.
  func wait(
    in events: AsyncStream<CaptureEvent>, _ isWanted: @Sendable (Readiness) -> Bool
  ) async -> Readiness {
    for await event in events {
      if case .readiness(let readiness) = event, isWanted(readiness) { return readiness }
    }
    return session.readiness
  }

  /// Waits until so many more frames have come.
  func wait(frames count: UInt64) async throws {
    let goal = await session.currentStatus.frameCount + count
    try await eventually { await session.currentStatus.frameCount >= goal }
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

/// A receiver that reads the frame's number from the pixels, and may hold photos up.
actor PhotoStore {
  /// The number of photos whose properties are remembered.
  private static let limit = 100
  /// The number in the frame's pixels, by the press.
  private(set) var numbers: [Int64: UInt32] = [:]
  /// The clockwise angle by which the picture has to be turned, by the press.
  private(set) var angles: [Int64: Int] = [:]
  /// Whether the newest photo is of the configured camera.
  private(set) var isLatestAsConfigured: Bool?
  /// The measured resolution of the newest photo.
  private(set) var latestPixelsPerInch: Double?
  /// The frames of the newest photo and of its bracket, and their places.
  private(set) var latestFrames: [(info: FrameInfo, place: BracketPlace?, isFlashFired: Bool)] = []
  private var remembered: [Int64] = []
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private(set) var arrivals = 0

  func hold() { isHolding = true }

  func letGo() {
    isHolding = false
    for continuation in held { continuation.resume() }
    held = []
  }

  func receive(
    _ photo: CapturedPhoto, deliver: @Sendable (PhotoDelivery) async -> Void
  ) async -> PressOutcome {
    arrivals += 1
    if isHolding { await withCheckedContinuation { held.append($0) } }
    guard let reading = try? PageSceneReader.read(photo.frame) else {
      return .refused(.encodingFailed)
    }
    numbers[photo.press.number] = reading.frameNumber
    angles[photo.press.number] = photo.captureAngle
    isLatestAsConfigured = photo.isAsConfigured
    latestPixelsPerInch = photo.pixelsPerInch
    latestFrames = ([photo] + photo.companions).map {
      ($0.frame.info, $0.bracket, $0.isFlashFired)
    }
    remembered.append(photo.press.number)
    if remembered.count > Self.limit {
      let forgotten = remembered.removeFirst()
      numbers[forgotten] = nil
      angles[forgotten] = nil
    }
    let stored = StoredPhoto(itemID: "\(photo.press.number)", path: "/", byteCount: 1, sha256: "")
    await deliver(PhotoDelivery(kind: .photo, index: 1, photo: stored))
    return .stored(stored)
  }
}
