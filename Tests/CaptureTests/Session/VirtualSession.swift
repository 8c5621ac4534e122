import Capture
import Devices
import SimulatedDevices
import Synchronization
import TestSupport

/// A session on the simulated board whose time passes only while a test waits.
struct VirtualSession {
  let harness: SessionHarness
  let clock: ManualClock
  private let time: VirtualTime

  var session: CaptureSession { harness.session }
  var world: SimulatedWorld { harness.world }

  init(
    cameraModels: [SimulatedCameraModel] = [SimulatedCameraModel()],
    faults: [CameraFault] = [],
    calibrations: (any CalibrationStorage)? = nil,
    hasLamp: Bool = false, lamp: (any Lamp)? = nil, lamps: [String] = [],
    change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) {
    let clock = ManualClock()
    self.clock = clock
    harness = SessionHarness(
      cameraModels: cameraModels, faults: faults, clock: clock, calibrations: calibrations,
      hasLamp: hasLamp, lamp: lamp, lamps: lamps
    ) {
      // The frames are small: painting large ones would take most of the time.
      $0.settings.preset = .custom(FrameSize(width: 320, height: 180))
      $0.settings.frameRate = 30
      change(&$0)
    }
    time = VirtualTime(clock: clock) { [session = harness.session] in
      _ = await session.currentStatus
    }
  }

  /// Lets time pass until a condition holds; returns whether it did within a minute.
  @discardableResult
  func wait(
    for duration: Duration = .seconds(60),
    until isReached: @Sendable (VirtualSession) async -> Bool = {
      $0.session.readiness.state == .ready
    }
  ) async -> Bool {
    await time.run(for: duration) { await isReached(self) }
  }

  /// Lets a duration pass.
  func pass(_ duration: Duration) async { _ = await time.run(for: duration) }

  /// Does work that takes time, and lets that time pass.
  ///
  /// - Parameters:
  ///   - sleepers: the number of sleeping loops of the work, which do not count as the camera's.
  ///   - work: the work to do.
  func during<Value: Sendable>(
    sleepers: Int = 0, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    var time = time
    time.streamingSleepers += sleepers
    let result = Mutex<Value?>(nil)
    let task = Task {
      let value = await work()
      result.withLock { $0 = value }
      return value
    }
    _ = await time.run(for: .seconds(600)) { result.withLock { $0 != nil } }
    return await task.value
  }

  /// Presses, now if no instant is given, and returns the record with the outcome.
  func press(at instant: MonotonicInstant? = nil) async -> PressRecord? {
    let harness = harness
    return await during { try? await harness.press(at: instant) }
  }

  /// Returns the next frames that are read out after now, ten or more.
  func frames() async -> [FrameInfo] {
    let begin = clock.now
    let camera = await session.currentStatus.camera?.id
    @Sendable func delivered(_ rig: VirtualSession) -> [FrameInfo] {
      rig.world.deliveredFrames(camera: camera).filter { $0.timestamp >= begin }
    }
    await wait { delivered($0).count >= 10 }
    return delivered(self)
  }

  func stop() async {
    let harness = harness
    await during { await harness.stop() }
  }
}

/// A storage that keeps calibrations in memory, and may fail.
final class CalibrationShelf: CalibrationStorage {
  private let kept: Mutex<[CameraDescription.ID: CameraCalibration]>
  private let keptScales = Mutex<[CameraDescription.ID: [CameraScale]]>([:])
  private let isBroken = Mutex(false)

  init(_ kept: [CameraDescription.ID: CameraCalibration] = [:]) { self.kept = Mutex(kept) }

  var contents: [CameraDescription.ID: CameraCalibration] { kept.withLock { $0 } }

  func breakDown() { isBroken.withLock { $0 = true } }

  func calibrations() async -> [CameraDescription.ID: CameraCalibration] { contents }

  func scales() async -> [CameraDescription.ID: [CameraScale]] { keptScales.withLock { $0 } }

  func store(
    _ scales: [CameraScale], of camera: CameraDescription.ID
  ) async throws(DeviceError) {
    try check()
    keptScales.withLock { $0[camera] = scales }
  }

  func store(
    _ calibration: CameraCalibration, of camera: CameraDescription.ID
  ) async throws(DeviceError) {
    try check()
    kept.withLock { $0[camera] = calibration }
  }

  func removeCalibration(of camera: CameraDescription.ID) async throws(DeviceError) {
    try check()
    kept.withLock { $0[camera] = nil }
    keptScales.withLock { $0[camera] = nil }
  }

  private func check() throws(DeviceError) {
    guard isBroken.withLock({ $0 }) else { return }
    throw DeviceError(
      .inputOutput, device: "shelf", problem: "cannot be written",
      cause: "No space left on device")
  }
}
