package import Devices

extension SimulatedWorld {
  /// The state that a display of the simulated board shows.
  package struct Snapshot: Sendable, Hashable {
    /// The time of the snapshot.
    package var time: MonotonicInstant
    /// The position of the rig.
    package var position: RigPosition
    /// The page that lies before the camera.
    package var page: Int
    /// The temperature in degrees Celsius.
    package var temperature: Double
    /// Whether the shutter is down.
    package var isButtonDown: Bool
    /// The faults of the cameras, by ID, without cameras that have no fault.
    package var cameraFaults: [CameraDescription.ID: Set<CameraFault>]
    /// The states of the lights, without lights that were never used.
    package var indicatorStates: [IndicatorRole: IndicatorState]
  }

  /// The current state that a display of the simulated board shows.
  package var snapshot: Snapshot {
    let now = clock.now
    let temperature = temperature
    return read { state in
      Snapshot(
        time: now, position: state.timeline.latest.position, page: state.timeline.latest.page,
        temperature: temperature,
        isButtonDown: state.button(SimulatedWorld.shutter).isActive(at: now),
        cameraFaults: state.cameraFaults.filter { !$0.value.isEmpty },
        indicatorStates: state.indicators)
    }
  }

  /// The states of the lights, without lights that were never used.
  package var indicatorStates: [IndicatorRole: IndicatorState] { read { $0.indicators } }

  /// Returns all states of a light, the oldest first; the last 4096 changes are kept.
  package func indicatorHistory(_ role: IndicatorRole) -> [IndicatorState] {
    read { $0.indicatorHistory[role] ?? [] }
  }

  /// The requests to the machine's power, the oldest first.
  package var powerRequests: [SimulatedPower.Request] { read { $0.powerRequests } }

  /// Returns the frames that a camera has delivered, the oldest first.
  ///
  /// Tests compare a picture's metadata with these frames. At least the last
  /// ``rememberedFrameCount`` are kept, without damaged ones.
  ///
  /// - Parameter camera: the camera's ID, by default the first camera's.
  package func deliveredFrames(camera: CameraDescription.ID? = nil) -> [FrameInfo] {
    guard let id = camera ?? cameraModels.first?.id else { return [] }
    return read { $0.frames[id] ?? [] }
  }

  /// Follows the world: a snapshot now and after each change.
  ///
  /// A slow reader gets only the newest snapshot. The stream ends with the world or when the reading
  /// task is canceled.
  package func snapshots() -> AsyncStream<Snapshot> {
    let signs = changes.signs.listen(limit: 1, first: [()])
    return AsyncStream(unfolding: { [weak self] in
      for await _ in signs { return self?.snapshot }
      return nil
    })
  }

  /// Whether any lamp is lit.
  package var isLampOn: Bool { read { $0.lamp.last?.isOn ?? false } }

  /// The changes of the lamps, the oldest first; the last 4096 are kept.
  package var lampHistory: [LampState] { read { $0.lamp } }

  func switchLamp(_ name: String, on isOn: Bool) {
    let now = clock.now
    change { world in
      var lit = world.lamp.last?.lit ?? []
      if isOn { lit.insert(name) } else { lit.remove(name) }
      guard lit != world.lamp.last?.lit ?? [] else { return }
      world.lamp.append(LampState(lit: lit, since: now))
      if world.lampPower != 1 { world.updateLight(at: now) }
      if world.lamp.count > 4096 { world.lamp.removeFirst(world.lamp.count - 4096) }
    }
  }

  func show(_ pattern: IndicatorPattern, for lifetime: Duration?, on role: IndicatorRole) {
    let now = clock.now
    let state = IndicatorState(
      pattern: pattern, since: now, until: lifetime.map { now.advanced(by: $0) })
    change { world in
      if let shown = world.indicators[role], shown.pattern == pattern, !shown.hasEnded(at: now) {
        world.indicators[role]?.until = state.until
        return
      }
      world.indicators[role] = state
      world.indicatorHistory[role, default: []].append(state)
      if let count = world.indicatorHistory[role]?.count, count > 4096 {
        world.indicatorHistory[role]?.removeFirst(count - 4096)
      }
    }
  }

  func noteDelivered(_ info: FrameInfo, by camera: CameraDescription.ID) {
    note { world in
      world.frames[camera, default: []].append(info)
      // The array is trimmed in large steps, so that a long run does not move it at every frame.
      if let count = world.frames[camera]?.count, count >= 2 * rememberedFrameCount {
        world.frames[camera]?.removeFirst(count - rememberedFrameCount)
      }
    }
  }
}
