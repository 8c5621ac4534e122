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
    /// Whether the button is down.
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
        temperature: temperature, isButtonDown: state.button.isActive(at: now),
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

  /// The frames that a camera has delivered, the oldest first.
  ///
  /// This is the truth that a picture's claims can be compared with. The last 8192 are kept, damaged
  /// ones are left out.
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

  func show(_ pattern: IndicatorPattern, on role: IndicatorRole) {
    let state = IndicatorState(pattern: pattern, since: clock.now)
    change { world in
      guard world.indicators[role]?.pattern != pattern else { return }
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
      if let count = world.frames[camera]?.count, count >= 16_384 {
        world.frames[camera]?.removeFirst(count - 8192)
      }
    }
  }
}
