package import Devices
import Synchronization

/// The single source of truth of the simulated board: its scene, position, buttons and faults.
///
/// The simulated devices read the world and are woken when it changes. The lights write their state
/// into it. All methods may be called from anywhere and return at once. Two worlds with the same
/// seed and the same calls at the same instants give the same pictures, edges and readings.
package final class SimulatedWorld: Sendable {
  struct State: Sendable {
    var timeline: SceneTimeline
    var seed: UInt64
    var buttons: [String: ButtonScript] = [:]
    var heat: (from: Double, to: Double, since: MonotonicInstant, duration: Duration)
    var light: (value: SceneLight, since: MonotonicInstant)
    /// The light without the lamp's.
    var ambient = SceneLight()
    /// The factor by which the lamp makes the page brighter.
    var lampPower = 1.0
    var cameraFaults: [CameraDescription.ID: Set<CameraFault>] = [:]
    var damagedFrames: [CameraDescription.ID: Int] = [:]
    var failingStarts: [CameraDescription.ID: Int] = [:]
    var cancellations: [CameraDescription.ID: Int] = [:]
    var troubles: [CameraTrouble: Int] = [:]
    var accelerometerFault: AccelerometerFault?
    var buttonFaults: [String: ButtonFault] = [:]
    var temperatureFault: TemperatureFault?
    var throttle = ThrottleStatus()
    var throttleFault: ThrottleFault?
    var isPowerDenied = false
    var powerRequests: [SimulatedPower.Request] = []
    var indicatorFaults: [IndicatorRole: IndicatorFault] = [:]
    var lampFault: LampFault?
    var lamp: [LampState] = []
    var indicators: [IndicatorRole: IndicatorState] = [:]
    var indicatorHistory: [IndicatorRole: [IndicatorState]] = [:]
    var frames: [CameraDescription.ID: [FrameInfo]] = [:]

    /// Makes the light of the desk and the lamp the one that the cameras see.
    mutating func updateLight(at now: MonotonicInstant) {
      var seen = ambient
      if lamp.last?.isOn == true { seen.exposureDuration = ambient.exposureDuration / lampPower }
      light = (seen, now)
      timeline.change(at: now) { [seen] in $0.light = seen }
    }

    /// Returns the script of a button's line; a button that was never touched is up.
    func button(_ name: String) -> ButtonScript { buttons[name] ?? ButtonScript(seed: seed) }
  }

  /// The name of the default button.
  package static let shutter = "shutter"

  /// The clock of everything in this world.
  package let clock: any MonotonicClock
  /// The cameras that are plugged in, in the order of their IDs.
  package let cameraModels: [SimulatedCameraModel]
  /// The seed of all irregularities.
  package let seed: UInt64

  /// The number of delivered frames kept for each camera; see ``deliveredFrames(camera:)``.
  package let rememberedFrameCount: Int

  let changes = ChangeSignal()
  private let state: Mutex<State>

  /// Makes a world in which the rig stands upright at 45 °C before page 1.
  ///
  /// - Parameters:
  ///   - clock: the clock of everything in the world.
  ///   - cameraModels: the cameras that are plugged in; their IDs must differ.
  ///   - seed: the seed of noise and bounce.
  ///   - rememberedFrameCount: the number of delivered frames kept for each camera, 1 or more.
  package init(
    clock: any MonotonicClock = SystemMonotonicClock(),
    cameraModels: [SimulatedCameraModel] = [SimulatedCameraModel()], seed: UInt64 = 1,
    rememberedFrameCount: Int = 8192
  ) {
    let now = clock.now
    self.clock = clock
    self.cameraModels = cameraModels.sorted { $0.id < $1.id }
    self.seed = seed
    self.rememberedFrameCount = max(1, rememberedFrameCount)
    state = Mutex(
      State(
        timeline: SceneTimeline(scene: SceneState(), since: now),
        seed: seed,
        heat: (45, 45, now, .zero),
        light: (SceneLight(), now)))
  }

  deinit {
    // The followers of the world find it gone and end.
    changes.raise()
  }

  /// Reads the state.
  func read<Value: Sendable>(_ body: (borrowing State) -> Value) -> Value {
    state.withLock { body($0) }
  }

  /// Changes the state and wakes the devices.
  @discardableResult
  func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let value = state.withLock { body(&$0) }
    changes.raise()
    return value
  }

  /// Notes a change that no device waits for.
  func note(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
  }

  // MARK: the rig

  /// The position of the rig.
  package var position: RigPosition { read { $0.timeline.latest.position } }

  /// The page that lies before the camera.
  package var page: Int { read { $0.timeline.latest.page } }

  /// Whether a hand lies on the page.
  package var hasHand: Bool { read { $0.timeline.latest.hasHand } }

  /// The temperature in degrees Celsius.
  package var temperature: Double {
    let now = clock.now
    return read { state in
      let heat = state.heat
      let elapsed = heat.since.duration(to: now)
      guard elapsed < heat.duration else { return heat.to }
      return heat.from + (heat.to - heat.from) * max(0, elapsed / heat.duration)
    }
  }

  /// Turns the rig about the optical axis and stands it up.
  ///
  /// - Parameter degrees: the clockwise angle as seen from behind the camera; gravity follows any
  ///   angle, and the picture follows the nearest quarter turn.
  package func turn(to degrees: Double) {
    let now = clock.now
    change { state in
      state.timeline.change(at: now) { $0.position = RigPosition(degrees: degrees) }
    }
  }

  /// Turns the rig to a quarter turn and stands it up.
  package func turn(to quarterTurn: QuarterTurn) {
    turn(to: Double(quarterTurn.rawValue))
  }

  /// Stands the rig up or lays it down without turning it.
  package func tilt(to attitude: RigPosition.Attitude) {
    let now = clock.now
    change { state in state.timeline.change(at: now) { $0.position.attitude = attitude } }
  }

  /// Lays a page before the camera.
  ///
  /// - Parameter page: the page's number, 0...65535; other numbers are taken modulo 65536.
  package func showPage(_ page: Int) {
    let now = clock.now
    change { state in state.timeline.change(at: now) { $0.page = page & 0xFFFF } }
  }

  /// Lays a hand on the page, or takes it away.
  package func showHand(_ isThere: Bool) {
    let now = clock.now
    change { state in state.timeline.change(at: now) { $0.hasHand = isThere } }
  }

  /// Heats or cools the rig, evenly over a duration.
  ///
  /// - Parameters:
  ///   - temperature: the temperature in degrees Celsius.
  ///   - duration: the duration of the change, by default zero.
  package func heat(to temperature: Double, over duration: Duration = .zero) {
    let now = clock.now
    let present = self.temperature
    change { $0.heat = (present, temperature, now, duration) }
  }

  /// Sets the firmware's current flags; the firmware also remembers all earlier flags.
  package func throttle(_ flags: ThrottleFlags) {
    change { $0.throttle = ThrottleStatus(now: flags, sinceBoot: $0.throttle.sinceBoot) }
  }

  /// Changes the exposure that the cameras' automatics would choose in this light.
  ///
  /// The cameras follow after their control delay, and within their frame duration. A shorter frame
  /// duration is compensated by gain.
  ///
  /// - Parameters:
  ///   - duration: the exposure of each row, above 0.
  ///   - gain: the gain as a factor, 1 or more.
  package func expose(for duration: Duration, gain: Double) {
    changeLight { light in
      light.exposureDuration = max(duration, .microseconds(1))
      light.gain = max(1, gain)
    }
  }

  /// Changes the light's color, and so the gains that the cameras' automatics would choose.
  ///
  /// - Parameters:
  ///   - gains: the gains at which white is white, each above 0.
  ///   - colorTemperature: the color temperature in kelvins.
  package func illuminate(whiteBalanceGains gains: WhiteBalanceGains, colorTemperature: Int) {
    changeLight { light in
      light.whiteBalanceGains = WhiteBalanceGains(
        red: max(0.01, gains.red), blue: max(0.01, gains.blue))
      light.colorTemperature = colorTemperature
    }
  }

  /// Moves the page nearer or further away.
  ///
  /// - Parameter lensPosition: the lens position at which the page is sharp, in diopters, 0 or
  ///   more.
  package func placePage(sharpAt lensPosition: Double) {
    changeLight { $0.lensPosition = max(0, lensPosition) }
  }

  /// Shows a scene in linear light, with the noise of a sensor and the lens's depth of focus.
  ///
  /// Each frame costs more than one of the plain page. The left half of the scene is sharp where
  /// ``placePage(sharpAt:)`` says.
  ///
  /// - Parameter scene: the scene, or `nil` for the plain page without noise.
  package func show(_ scene: LinearScene?) {
    let now = clock.now
    change { state in state.timeline.change(at: now) { $0.linear = scene } }
  }

  private func changeLight(_ body: (inout SceneLight) -> Void) {
    let now = clock.now
    change { state in
      body(&state.ambient)
      state.updateLight(at: now)
    }
  }

  /// Sets the factor by which the lamp makes the page brighter, 1 or more; at first 1.
  package func setLampPower(_ factor: Double) {
    let now = clock.now
    change { state in
      state.lampPower = max(1, factor)
      state.updateLight(at: now)
    }
  }

  func scene(at instant: MonotonicInstant) -> SceneState {
    read { $0.timeline.scene(at: instant) }
  }
}
