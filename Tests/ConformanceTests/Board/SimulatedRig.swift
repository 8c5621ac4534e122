import Devices
import SimulatedDevices

/// The simulated board in a world of its own, on the system's clock.
enum SimulatedRig {
  static func make() -> ConformanceRig { make(world: SimulatedWorld()) }

  /// Returns a board whose camera can only stream.
  static func makePlain() -> ConformanceRig {
    make(world: SimulatedWorld(cameraModels: [.withoutControls()]))
  }

  private static func make(world: SimulatedWorld) -> ConformanceRig {
    // A second world in which every device is missing.
    let bare = SimulatedWorld(cameraModels: [])
    bare.setButtonFault(.absent)
    bare.setAccelerometerFault(.absent)
    bare.setTemperatureFault(.absent)
    bare.setIndicatorFault(.absent, role: .ready)
    bare.setLampFault(.absent)
    return ConformanceRig(
      button: SimulatedButtonLine(world: world), absentButton: SimulatedButtonLine(world: bare),
      accelerometer: SimulatedAccelerometer(world: world),
      absentAccelerometer: SimulatedAccelerometer(world: bare),
      lights: [SimulatedIndicator(world: world, role: .ready)],
      absentLight: SimulatedIndicator(world: bare, role: .ready),
      lamps: [SimulatedLamp(world: world)], absentLamp: SimulatedLamp(world: bare),
      zone: SimulatedTemperatureSensor(world: world),
      absentZone: SimulatedTemperatureSensor(world: bare),
      cameras: SimulatedCameraSystem(world: world), hands: SimulatedHands(world: world))
  }
}

/// Moves a simulated world.
private struct SimulatedHands: RigHands {
  let world: SimulatedWorld

  func hold() -> ClosedRange<MonotonicInstant> {
    let before = world.clock.now
    world.hold()
    return before...world.clock.now
  }

  func letGo() -> ClosedRange<MonotonicInstant> {
    let before = world.clock.now
    world.release()
    return before...world.clock.now
  }

  func press(count: Int, every interval: Duration) {
    let start = world.clock.now
    for index in 0..<count {
      world.press(at: start.advanced(by: interval * index), for: interval / 2)
    }
  }

  func storm(edges: Int) async throws {
    world.storm(edges: edges, over: .seconds(1))
    try await world.clock.sleep(for: .seconds(1))
    world.release()
  }

  func occupyButton(_ isOccupied: Bool) {
    world.setButtonFault(isOccupied ? .busy : nil)
  }

  func place(_ position: RestingPosition) {
    switch position {
    case .portrait: world.turn(to: .none)
    case .landscapeRight: world.turn(to: .clockwise90)
    case .upsideDown: world.turn(to: .half)
    case .landscapeLeft: world.turn(to: .clockwise270)
    case .faceUp: world.tilt(to: .lensDown)
    case .faceDown: world.tilt(to: .lensUp)
    }
  }

  func plugAccelerometer(_ isPlugged: Bool) {
    world.setAccelerometerFault(isPlugged ? nil : .absent)
  }

  func heat(to temperature: Double) {
    world.heat(to: temperature)
  }

  func watch(
    _ light: any Indicator, for duration: Duration
  ) async throws -> [LightChange] {
    var changes: [LightChange] = []
    var looked = world.clock.now
    let end = looked.advanced(by: duration)
    repeat {
      // A look that comes late sees what has been since the one before.
      let (state, now) = (world.indicatorStates[.ready], world.clock.now)
      while looked <= min(now, end) {
        let isLit = (state?.level(at: looked) ?? 0) >= 0.5
        if changes.last?.isLit != isLit { changes.append(LightChange(time: looked, isLit: isLit)) }
        looked = looked.advanced(by: .milliseconds(2))
      }
      try await world.clock.sleep(for: .milliseconds(2))
    } while looked < end
    return changes
  }

  func isLit(_ lamp: any Lamp) -> Bool { world.isLampOn }
}
