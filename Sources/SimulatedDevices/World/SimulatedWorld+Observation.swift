public import Devices

extension SimulatedWorld {
  /// All that a display of the simulated board shows.
  public struct Snapshot: Sendable, Hashable {
    /// When it was so.
    public var time: MonotonicInstant
    /// How the rig is held.
    public var position: RigPosition
    /// The page that lies before the camera.
    public var page: Int
    /// The temperature in degrees Celsius.
    public var temperature: Double
    /// Whether the shutter is down.
    public var isButtonDown: Bool
    /// What is wrong with the cameras, by ID; cameras without a fault are left out.
    public var cameraFaults: [CameraDescription.ID: Set<CameraFault>]
    /// What the lights have been told to show; a light that was never used is left out.
    public var indicatorStates: [IndicatorRole: IndicatorState]
  }

  /// All that a display of the simulated board shows, now.
  public var snapshot: Snapshot {
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

  /// What the lights show; a light that was never used is left out.
  public var indicatorStates: [IndicatorRole: IndicatorState] { read { $0.indicators } }

  /// All that a light has been told to show, the oldest first; the last 4096 changes are kept.
  public func indicatorHistory(_ role: IndicatorRole) -> [IndicatorState] {
    read { $0.indicatorHistory[role] ?? [] }
  }

  /// What has been asked of the machine's power, the oldest first.
  public var powerRequests: [SimulatedPower.Request] { read { $0.powerRequests } }

  /// The frames that a camera has delivered, the oldest first.
  ///
  /// This is the truth that a picture's claims can be compared with. At least the last
  /// ``rememberedFrameCount`` are kept; damaged ones are left out.
  ///
  /// - Parameter camera: the camera's ID; the first camera when nothing is said.
  public func deliveredFrames(camera: CameraDescription.ID? = nil) -> [FrameInfo] {
    guard let id = camera ?? cameraModels.first?.id else { return [] }
    return read { $0.frames[id] ?? [] }
  }

  /// Follows the world: a snapshot now and after each change.
  ///
  /// Only the newest is kept for a slow reader. The stream ends when its task is cancelled.
  public func snapshots() -> AsyncStream<Snapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task { [weak self, changes] in
      while !Task.isCancelled {
        let version = changes.version
        guard let snapshot = self?.snapshot else { break }
        continuation.yield(snapshot)
        await changes.change(since: version)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Whether the lamp is lit.
  public var isLampOn: Bool { read { $0.lamp.last?.isOn ?? false } }

  /// When the lamp was switched, the oldest first; the last 4096 changes are kept.
  public var lampHistory: [LampState] { read { $0.lamp } }

  func switchLamp(on isOn: Bool) {
    let now = clock.now
    change { world in
      guard world.lamp.last?.isOn ?? false != isOn else { return }
      world.lamp.append(LampState(isOn: isOn, since: now))
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
      // Trimmed in lumps, so that a long run does not move the array at every frame.
      if let count = world.frames[camera]?.count, count >= 2 * rememberedFrameCount {
        world.frames[camera]?.removeFirst(count - rememberedFrameCount)
      }
    }
  }
}
