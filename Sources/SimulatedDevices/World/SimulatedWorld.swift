public import Devices
import Synchronization

/// The single source of truth of the simulated board: what there is to see, feel and press, and
/// what is broken.
///
/// The simulated devices read it and are woken when it changes; the lights write what they show
/// into it. All methods may be called from anywhere; they return at once. Two worlds with the same
/// seed and the same calls at the same instants give the same pictures, edges and readings.
public final class SimulatedWorld: Sendable {
  struct State: Sendable {
    var timeline: SceneTimeline
    var seed: UInt64
    var buttons: [String: ButtonScript] = [:]
    var heat: (from: Double, to: Double, since: MonotonicInstant, duration: Duration)
    var light: (value: SceneLight, since: MonotonicInstant)
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

    /// What happens on a button's line; a button that was never touched is up.
    func button(_ name: String) -> ButtonScript { buttons[name] ?? ButtonScript(seed: seed) }
  }

  /// The button that is meant when nothing else is said.
  public static let shutter = "shutter"

  /// The clock that everything in this world goes by.
  public let clock: any MonotonicClock
  /// The cameras that are plugged in, in the order of their IDs.
  public let cameraModels: [SimulatedCameraModel]
  /// What all irregularities are computed from.
  public let seed: UInt64

  /// How many delivered frames are remembered of each camera; see ``deliveredFrames(camera:)``.
  public let rememberedFrameCount: Int

  let changes = ChangeSignal()
  private let state: Mutex<State>

  /// Makes a world in which the rig stands upright at 45 °C before page 1.
  ///
  /// - Parameters:
  ///   - clock: the clock that everything goes by.
  ///   - cameraModels: the cameras that are plugged in; their IDs must differ.
  ///   - seed: what noise and bounce are computed from.
  ///   - rememberedFrameCount: how many delivered frames are remembered of each camera, 1 or more.
  public init(
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
    // Whoever follows the world finds it gone and ends.
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

  /// Notes something that no device waits for.
  func note(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
  }

  // MARK: the rig

  /// How the rig is held.
  public var position: RigPosition { read { $0.timeline.latest.position } }

  /// The page that lies before the camera.
  public var page: Int { read { $0.timeline.latest.page } }

  /// The temperature in degrees Celsius.
  public var temperature: Double {
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
  /// - Parameter degrees: clockwise as seen from behind the camera; gravity follows any angle, the
  ///   picture the nearest quarter turn.
  public func turn(to degrees: Double) {
    let now = clock.now
    change { state in
      state.timeline.change(at: now) { $0.position = RigPosition(degrees: degrees) }
    }
  }

  /// Turns the rig to a quarter turn and stands it up.
  public func turn(to quarterTurn: QuarterTurn) {
    turn(to: Double(quarterTurn.rawValue))
  }

  /// Stands the rig up or lays it down without turning it.
  public func tilt(to attitude: RigPosition.Attitude) {
    let now = clock.now
    change { state in state.timeline.change(at: now) { $0.position.attitude = attitude } }
  }

  /// Lays a page before the camera.
  ///
  /// - Parameter page: the page's number, 0...65535; other numbers are taken modulo 65536.
  public func showPage(_ page: Int) {
    let now = clock.now
    change { state in state.timeline.change(at: now) { $0.page = page & 0xFFFF } }
  }

  /// Heats or cools the rig, evenly over a duration.
  ///
  /// - Parameters:
  ///   - temperature: in degrees Celsius.
  ///   - duration: how long it takes; at once when nothing is said.
  public func heat(to temperature: Double, over duration: Duration = .zero) {
    let now = clock.now
    let present = self.temperature
    change { $0.heat = (present, temperature, now, duration) }
  }

  /// Sets what the firmware says is true now; it remembers what has been.
  public func throttle(_ flags: ThrottleFlags) {
    change { $0.throttle = ThrottleStatus(now: flags, sinceBoot: $0.throttle.sinceBoot) }
  }

  /// Changes the exposure that the cameras' automatic would choose in this light.
  ///
  /// The cameras follow after their control delay, and within their frame duration: when it is
  /// shorter, the gain makes up for it.
  ///
  /// - Parameters:
  ///   - duration: exposure of each row, above 0.
  ///   - gain: gain as a factor, 1 or more.
  public func expose(for duration: Duration, gain: Double) {
    changeLight { light in
      light.exposureDuration = max(duration, .microseconds(1))
      light.gain = max(1, gain)
    }
  }

  /// Changes the light's colour, and with it the gains that the cameras' automatic would choose.
  ///
  /// - Parameters:
  ///   - gains: the gains at which white is white, each above 0.
  ///   - colorTemperature: in kelvins.
  public func illuminate(whiteBalanceGains gains: WhiteBalanceGains, colorTemperature: Int) {
    changeLight { light in
      light.whiteBalanceGains = WhiteBalanceGains(
        red: max(0.01, gains.red), blue: max(0.01, gains.blue))
      light.colorTemperature = colorTemperature
    }
  }

  /// Moves the page nearer or further away.
  ///
  /// - Parameter lensPosition: the lens position at which it is sharp, in dioptres, 0 or more.
  public func placePage(sharpAt lensPosition: Double) {
    changeLight { $0.lensPosition = max(0, lensPosition) }
  }

  private func changeLight(_ body: (inout SceneLight) -> Void) {
    let now = clock.now
    change { state in
      body(&state.light.value)
      state.light.since = now
      let light = state.light.value
      state.timeline.change(at: now) { $0.light = light }
    }
  }

  func scene(at instant: MonotonicInstant) -> SceneState {
    read { $0.timeline.scene(at: instant) }
  }
}
