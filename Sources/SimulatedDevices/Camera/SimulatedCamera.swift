public import Devices

/// A camera of a simulated world.
///
/// Frames are exposed on a strict grid, delivered some frames later through a ring of buffers, and
/// show the world as it was in the middle of their exposure. A host that comes late finds as many of
/// the frames as the ring holds, spread over the whole time, so that it misses no moment: a pause is
/// a fault of a world, not of a busy host. The actor has an executor of its own, because painting
/// frames of 12 megapixels takes milliseconds.
public actor SimulatedCamera: Camera {
  private struct RunningStream {
    var number: UInt64
    var outcome: StreamNegotiation.Outcome
    var pool: FramePool
    var painter: PageScenePainter
    var sensor: SimulatedSensor
    var swallowedFrames: UInt64
    var cancellations: Int
    var stalledFrames: [SimulatedSensor.Frame] = []
    var isStalled = false
    var task: Task<Void, Never>?
  }

  /// How many old frames come first after a stall: what a pipeline of three requests holds.
  static let staleFrames = 3
  /// The camera as it was listed.
  public nonisolated let identity: CameraDescription
  /// The queue that the camera runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private nonisolated let executor: DispatchQueueExecutor
  private let model: SimulatedCameraModel
  private let world: SimulatedWorld
  private let negotiation: StreamNegotiation
  private var claim: CameraClaim?
  private var isLost = false
  private var stream: RunningStream?
  /// What was set while it was stopped.
  private var waitingControls = CameraControls()
  private var nextID: UInt64 = 1
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
    stream?.task?.cancel()
    stream?.pool.close()
  }

  /// Which controls the model has, and the limits of the mode that streams or else of all modes.
  public var capabilities: CameraCapabilities {
    var capabilities = model.capabilities
    let modes = (stream?.outcome.mode).map { [$0] } ?? model.modes
    let fastest = modes.map(\.maximumFrameRate).max() ?? StreamNegotiation.minimumFrameRate
    let slowest = StreamNegotiation.frameDuration(StreamNegotiation.minimumFrameRate)
    capabilities.frameDurations = StreamNegotiation.frameDuration(fastest)...slowest
    return capabilities
  }

  /// Says what the camera would make of a configuration, also while it streams.
  ///
  /// - Throws: `DeviceError`: `unsupported` when none of the pixel formats or not all of the
  ///   controls can be had, `disconnected` or `absent` when the camera is gone or closed.
  public func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    try checkUsable()
    try model.capabilities.require(configuration.controls, device: model.id)
    return try negotiation.resolve(configuration).resolved
  }

  /// Starts a stream, stopping the one that runs.
  ///
  /// - Throws: `DeviceError`: `unsupported`, `outOfMemory`, `disconnected` or `absent`; the camera
  ///   is then stopped.
  public func start(
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
    let (events, continuation) = AsyncStream.makeStream(
      of: CameraEvent.self, bufferingPolicy: .bufferingNewest(256))
    let pool = try FramePool(
      configuration: outcome.resolved, ringFrameCount: outcome.ringFrameCount, device: model.id,
      events: continuation)
    let (light, cancellations) = world.read { [id = model.id] state in
      (state.light, state.cancellations[id] ?? 0)
    }
    let controls = takeControls(of: configuration)
    streamCount += 1
    stream = RunningStream(
      number: streamCount, outcome: outcome, pool: pool,
      painter: PageScenePainter(format: outcome.resolved.format),
      sensor: SimulatedSensor(
        model: model, mode: outcome.mode, frameDuration: outcome.frameDuration,
        light: light.value, controls: controls, at: world.clock.now),
      swallowedFrames: swallowedFrames(with: controls), cancellations: cancellations)
    stream?.task = Task { [weak self, world, number = streamCount] in
      while !Task.isCancelled {
        let version = world.changes.version
        guard let next = await self?.step(number) else { return }
        await world.changes.wait(until: next, since: version, on: world.clock)
      }
    }
    return CameraStream(configuration: outcome.resolved, events: events)
  }

  /// Leases a frame of the running stream by its number; `nil` when the ring has moved past it.
  public func lease(_ id: UInt64) async -> FrameLease? {
    stream?.pool.lease(id)
  }

  /// Asks for another frame rate, which takes effect after the control delay.
  ///
  /// - Parameter frameRate: frames a second; what the sensor's mode cannot do becomes the closest.
  /// - Returns: the time between frames that was set.
  /// - Throws: `DeviceError`, code `unsupported`, when the rate is not above 0 or nothing streams.
  @discardableResult
  public func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
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
  /// - Throws: `DeviceError`: `unsupported` with what the model has not, `disconnected` or `absent`.
  public func setControls(_ controls: CameraControls) async throws(DeviceError) {
    try checkUsable()
    try model.capabilities.require(controls, device: model.id)
    if stream == nil {
      waitingControls = controls
    } else {
      stream?.sensor.set(controls, at: world.clock.now)
    }
  }

  /// The configuration's controls, or where it says nothing what was set before.
  private func takeControls(of configuration: StreamConfiguration) -> CameraControls {
    defer { waitingControls = CameraControls() }
    return configuration.controls == CameraControls() ? waitingControls : configuration.controls
  }

  /// Only a cold start has to find the exposure, and only where it is not told.
  private func swallowedFrames(with controls: CameraControls) -> UInt64 {
    guard streamCount == 1 else { return 0 }
    if case .custom? = controls.exposureMode, case .custom? = controls.whiteBalanceMode { return 0 }
    return UInt64(max(0, model.startUpFrames))
  }

  /// Stops the stream and ends its events; leases stay valid.
  public func stop() async {
    endStream()
  }

  /// Gives the camera up.
  public func close() async {
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

  private func endStream() {
    stream?.task?.cancel()
    stream?.pool.close()
    stream = nil
  }

  /// Delivers what is due; returns when to come again, `nil` when the stream has ended.
  private func step(_ number: UInt64) -> MonotonicInstant? {
    guard stream?.number == number else { return nil }
    let now = world.clock.now
    let (faults, cancellations, light) = world.read { [id = model.id] state in
      (state.cameraFaults[id] ?? [], state.cancellations[id] ?? 0, state.light)
    }
    if faults.contains(.absent) {
      isLost = true
      claim = nil
      world.note(.disconnect)
      stream?.pool.yield(.disconnected)
      endStream()
      return nil
    }
    if stream?.cancellations != cancellations {
      world.note(.cancelBurst)
      let error = DeviceError(
        .timedOut, device: model.id, problem: "cancelled its requests; the stream has ended",
        cause: "the camera's front end has timed out")
      stream?.pool.yield(.streamFailed(error))
      endStream()
      return nil
    }
    stream?.sensor.set(light.value, at: light.since)
    for frame in takeDue(at: now, isStalled: faults.contains(.stalled)) { deliver(frame) }
    return stream?.sensor.nextDelivery
  }

  private func takeDue(at now: MonotonicInstant, isStalled: Bool) -> [SimulatedSensor.Frame] {
    guard let due = stream?.sensor.takeDelivered(by: now) else { return [] }
    let wasStalled = stream?.isStalled ?? false
    stream?.isStalled = isStalled
    if isStalled, !wasStalled { world.note(.stall) }
    guard isStalled || wasStalled else {
      return Self.spread(due, over: stream?.outcome.ringFrameCount ?? 1)
    }
    // The oldest wait in the pipeline and come first when it runs again; the rest is lost.
    let held = (stream?.stalledFrames ?? []) + due
    let stale = Array(held.prefix(SimulatedCamera.staleFrames))
    stream?.stalledFrames = isStalled ? stale : []
    guard !isStalled else { return [] }
    for _ in stale { world.note(.staleFrame) }
    return stale
  }

  /// At most so many frames, evenly spread, the newest one among them.
  private static func spread(
    _ frames: [SimulatedSensor.Frame], over count: Int
  ) -> [SimulatedSensor.Frame] {
    guard frames.count > count else { return frames }
    return (1...count).map { frames[$0 * frames.count / count - 1] }
  }

  private func deliver(_ frame: SimulatedSensor.Frame) {
    guard var stream, frame.sequence >= stream.swallowedFrames else { return }
    if world.takeDamagedFrame(of: model.id) {
      world.note(.errorFrame)
      stream.pool.yield(.damagedFrame(sequence: frame.sequence))
      return
    }
    guard let (slot, memory) = stream.pool.take() else { return }
    var info = FrameInfo(
      id: nextID, sequence: frame.sequence, timestamp: frame.timestamp,
      exposureDuration: frame.exposureDuration,
      readoutDuration: stream.outcome.mode.readoutDuration,
      frameDuration: frame.frameDuration, analogueGain: frame.analogueGain,
      digitalGain: frame.digitalGain)
    nextID += 1
    let scene = world.scene(at: info.exposureMidpoint)
    describeAdjustments(of: frame, in: scene.light, &info)
    // Taken out while it is painted with, so that its scenes are not copied.
    self.stream = nil
    memory.withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      stream.painter.paint(
        page: scene.page, turn: scene.position.quarterTurn + model.mounting,
        look: SceneLook(frame, in: scene.light), number: UInt32(truncatingIfNeeded: info.id),
        buffer: slot, base: base)
    }
    self.stream = stream
    stream.pool.finish(slot, info)
    world.noteDelivered(info, by: model.id)
  }

  /// Says of the controls that the model has what they were; as on a Pi, white balance has no flag.
  private func describeAdjustments(
    of frame: SimulatedSensor.Frame, in light: SceneLight, _ info: inout FrameInfo
  ) {
    let capabilities = model.capabilities
    if !capabilities.exposureModes.isEmpty { info.exposureState = frame.exposureState }
    if !capabilities.whiteBalanceModes.isEmpty {
      info.whiteBalanceGains = frame.whiteBalanceGains
      info.colorTemperature = light.colorTemperature
    }
    if !capabilities.focusModes.isEmpty {
      info.focusState = frame.focusState
      info.lensPosition = frame.lensPosition
    }
    if capabilities.maximumVideoZoomFactor > 1, let sensor = model.modes.first?.size {
      let size = FrameSize(
        width: Int(Double(sensor.width) / frame.videoZoomFactor),
        height: Int(Double(sensor.height) / frame.videoZoomFactor))
      info.crop = SensorRegion(
        left: (sensor.width - size.width) / 2, top: (sensor.height - size.height) / 2, size: size)
      info.videoZoomFactor = frame.videoZoomFactor
    }
  }
}
