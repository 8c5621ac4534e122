package import Devices

/// A camera of a simulated world.
///
/// Frames are exposed on a strict grid and delivered some frames later through a ring of buffers.
/// They show the world in the middle of their exposure. A late host finds as many frames as the
/// ring holds, spread over the whole time, so that the host misses no moment. A pause is therefore
/// a fault of a world, and not of a busy host. The actor has its own executor, because painting
/// frames of 12 megapixels takes milliseconds.
package actor SimulatedCamera: Camera {
  struct RunningStream {
    var outcome: StreamNegotiation.Outcome
    var pool: FramePool
    var painter: PageScenePainter
    /// The painter of the previews; `nil` for a stream without them.
    var previewPainter: PageScenePainter?
    /// The painter of the raw frames; `nil` for a stream without them.
    var rawPainter: RawScenePainter?
    var sensor: SimulatedSensor
    var swallowedFrames: UInt64
    var cancellations: Int
    var stalledFrames: [SimulatedSensor.Frame] = []
    var isStalled = false
    /// The timer of ``SimulatedCamera/step()``.
    var timer: any ClockTimer
    /// The task that steps whenever the world changes.
    var watching: Task<Void, Never>?

    func end() {
      timer.cancel()
      watching?.cancel()
      pool.close()
    }
  }

  /// The number of old frames that come first after a stall, as from a pipeline of three requests.
  static let staleFrames = 3
  /// The camera as it was listed.
  package nonisolated let identity: CameraDescription
  /// The queue that the camera runs on.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private nonisolated let executor: DispatchQueueExecutor
  let model: SimulatedCameraModel
  let world: SimulatedWorld
  private let negotiation: StreamNegotiation
  var claim: CameraClaim?
  var isLost = false
  var stream: RunningStream?
  /// The frames of the present step, kept for their memory.
  var due: [SimulatedSensor.Frame] = []
  /// The controls that were set while the camera was stopped.
  private var waitingControls = CameraControls()
  var nextID: UInt64 = 1
  private var streamCount: UInt64 = 0

  init(model: SimulatedCameraModel, world: SimulatedWorld, claim: CameraClaim) {
    identity = model.description
    executor = DispatchQueueExecutor(label: "simulated camera \(model.id)")
    self.model = model
    self.world = world
    self.claim = claim
    negotiation = StreamNegotiation(model: model)
  }

  deinit {
    stream?.end()
  }

  /// The model's controls, and the limits of the streaming mode or else of all modes.
  package var capabilities: CameraCapabilities {
    var capabilities = model.capabilities
    let modes = (stream?.outcome.mode).map { [$0] } ?? model.modes
    let fastest = modes.map(\.maximumFrameRate).max() ?? StreamNegotiation.minimumFrameRate
    let slowest = StreamNegotiation.frameDuration(StreamNegotiation.minimumFrameRate)
    capabilities.frameDurations = StreamNegotiation.frameDuration(fastest)...slowest
    return capabilities
  }

  /// Resolves a configuration without starting it, also while the camera streams.
  ///
  /// - Throws: `DeviceError`: `unsupported` when no pixel format or not every control is available,
  ///   `disconnected` or `absent` when the camera is gone or closed.
  package func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    try checkUsable()
    try model.capabilities.require(configuration.controls, device: model.id)
    return try negotiation.resolve(configuration).resolved
  }

  /// Starts a stream, and stops a running one.
  ///
  /// - Throws: `DeviceError`: `unsupported`, `outOfMemory`, `disconnected` or `absent`; the camera
  ///   is then stopped.
  package func start(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> CameraStream {
    endStream()
    try checkUsable()
    try model.capabilities.require(configuration.controls, device: model.id)
    let outcome = try negotiation.resolve(configuration)
    if world.takeFailingStart(of: model.id) {
      world.note(.noMemory)
      throw DeviceError(
        .outOfMemory, device: model.id, problem: "has no memory for its buffers",
        cause: "Cannot allocate memory")
    }
    let pool = try FramePool(
      configuration: outcome.resolved, ringFrameCount: outcome.ringFrameCount, device: model.id)
    // A change from here on is stepped for.
    let changes = world.changes.signs.listen(limit: 1)
    let (light, cancellations) = world.read { [id = model.id] state in
      (state.light, state.cancellations[id] ?? 0)
    }
    let controls = takeControls(of: configuration)
    streamCount += 1
    let timer = world.clock.makeTimer(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.step() }
    }
    stream = RunningStream(
      outcome: outcome, pool: pool,
      painter: PageScenePainter(format: outcome.resolved.format),
      previewPainter: outcome.resolved.preview.map { PageScenePainter(format: $0) },
      rawPainter: RawScenePainter(outcome.resolved),
      sensor: SimulatedSensor(
        model: model, mode: outcome.mode, frameDuration: outcome.frameDuration,
        light: light.value, controls: controls, at: world.clock.now),
      swallowedFrames: swallowedFrames(with: controls), cancellations: cancellations,
      timer: timer)
    stream?.watching = Task { [weak self] in
      for await _ in changes { await self?.step() }
    }
    step()
    return CameraStream(configuration: outcome.resolved, events: pool.events)
  }

  /// Leases a frame of the running stream by its number; `nil` when the ring has moved past it.
  package func lease(_ id: UInt64) async -> FrameLease? {
    stream?.pool.lease(id)
  }

  /// Asks for another frame rate, which takes effect after the control delay.
  ///
  /// - Parameter frameRate: the frames per second, moved to the closest rate of the sensor's mode.
  /// - Returns: the time between frames that was set.
  /// - Throws: `DeviceError`, code `unsupported`, when the rate is not above 0 or nothing streams.
  @discardableResult
  package func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    try checkUsable()
    guard let mode = stream?.outcome.mode else {
      throw DeviceError(
        .unsupported, device: model.id, problem: "cannot change its frame rate",
        cause: "it does not stream")
    }
    guard frameRate > 0, frameRate.isFinite else {
      throw DeviceError(
        .unsupported, device: model.id, problem: "cannot stream \(frameRate) frames a second")
    }
    let duration = StreamNegotiation.frameDuration(
      negotiation.closestFrameRate(to: frameRate, in: mode))
    stream?.sensor.set(frameDuration: duration, at: world.clock.now)
    return duration
  }

  /// Sets all controls; exposure and gain take effect after the control delay, the rest at once.
  ///
  /// - Throws: `DeviceError`: `unsupported` for a control that the model lacks, `disconnected` or
  ///   `absent`.
  package func setControls(_ controls: CameraControls) async throws(DeviceError) {
    try checkUsable()
    try model.capabilities.require(controls, device: model.id)
    if stream == nil {
      waitingControls = controls
    } else {
      stream?.sensor.set(
        controls, nearness: nearness(of: controls.focusMode), at: world.clock.now)
    }
  }

  /// Returns the diopters by which a place to focus on is nearer than the left half of the scene.
  private func nearness(of mode: CameraControls.FocusMode?) -> Double {
    guard case .autoFocusAtPoint(let point)? = mode else { return 0 }
    let scene = world.scene(at: world.clock.now)
    let across =
      switch scene.position.quarterTurn + model.mounting {
      case .none: point.x
      case .clockwise90: 1 - point.y
      case .half: 1 - point.x
      case .clockwise270: point.y
      }
    return across < 0.5 ? 0 : scene.linear?.depth ?? 0
  }

  /// Takes the configuration's controls, or the controls set before if it has none.
  private func takeControls(of configuration: StreamConfiguration) -> CameraControls {
    defer { waitingControls = CameraControls() }
    return configuration.controls == CameraControls() ? waitingControls : configuration.controls
  }

  /// Returns the number of frames swallowed at a cold start with automatics, which have to settle.
  private func swallowedFrames(with controls: CameraControls) -> UInt64 {
    guard streamCount == 1 else { return 0 }
    if case .custom? = controls.exposureMode, case .custom? = controls.whiteBalanceMode { return 0 }
    return UInt64(max(0, model.startUpFrames))
  }

  /// Stops the stream and ends its events; leases stay valid.
  package func stop() async {
    endStream()
  }

  /// Stops the stream and releases the camera.
  package func close() async {
    endStream()
    claim = nil
  }

  private func checkUsable() throws(DeviceError) {
    if isLost || world.cameraFaults(model.id).contains(.absent) {
      throw DeviceError(
        .disconnected, device: model.id, problem: "is gone", cause: "No such device")
    }
    if claim == nil { throw DeviceError(.absent, device: model.id, problem: "has been closed") }
  }

  func endStream() {
    stream?.end()
    stream = nil
  }
}
