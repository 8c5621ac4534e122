import CLibcameraShim
package import Devices
import Logging

/// A camera opened through libcamera.
///
/// The ring of frames and the circulating requests are in the shim, so that libcamera's thread
/// never waits for Swift. Where libcamera cannot set a frame rate, the shim returns buffers late.
///
/// libcamera detects only the unplugging of a USB camera. Another camera that goes away while it
/// streams falls silent. After a second the shim sees that its nodes are gone and reports
/// ``Devices/CameraEvent/disconnected``. libcamera would abort the process if it had to stop such a
/// camera, so it is not called. ``stop()`` and ``close()`` return, and leases can be read. Every
/// later call of libcamera throws ``Devices/DeviceError/Code/needsNewProcess``. The same holds when
/// libcamera does not stop within ten seconds. This actor cannot tell a stalled camera from a slow
/// one: the reader of the events has the watchdog.
package actor LibcameraCamera: Camera {
  /// The camera's description in the list.
  package nonisolated let identity: CameraDescription

  private let executor: DispatchQueueExecutor
  private let logger: Logger
  private let handle: platen_camera
  private let eventDescriptor: Int32
  private var events: LibcameraEvents?
  private var watch: EventThread?
  private var current: ResolvedStreamConfiguration?
  private var lastCapabilities = CameraCapabilities()
  /// The controls that were set while the camera was stopped.
  private var waitingControls = CameraControls()

  /// The executor, on which libcamera's blocking calls are made.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(
    handle: platen_camera, eventDescriptor: Int32, identity: CameraDescription, logger: Logger
  ) {
    self.handle = handle
    self.eventDescriptor = eventDescriptor
    self.identity = identity
    self.logger = logger
    executor = DispatchQueueExecutor(label: "platen.camera")
  }

  isolated deinit {
    endStream()
    // After close() the handle is stale, which the shim accepts.
    _ = platen_camera_release(handle, nil, 0)
  }

  /// The camera's controls in libcamera, and their limits in the mode of the last stream.
  ///
  /// A closed or lost camera keeps the last listed ones.
  package var capabilities: CameraCapabilities {
    var capabilities = platen_camera_capabilities()
    if platen_camera_capabilities_get(handle, &capabilities, nil, 0) == 0 {
      lastCapabilities = CameraCapabilities(capabilities)
    }
    return lastCapabilities
  }

  /// Returns the camera's resolution of a configuration, even while it streams.
  ///
  /// - Throws: ``Devices/DeviceError``: `unsupported` when the camera supports none of the pixel
  ///   formats or not all of the controls, `misconfigured`, `disconnected` or
  ///   ``Devices/DeviceError/Code/needsNewProcess``.
  package func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    var request = try configuration.shimRequest(for: identity.id)
    var stream = platen_camera_stream()
    let outcome = ShimOutcome.of { cause, size in
      platen_camera_resolve(handle, &request, &stream, cause, size)
    }
    guard outcome.status == 0 else {
      throw DeviceError(outcome, device: identity.id, problem: "cannot give this stream")
    }
    return try resolved(stream, wanted: configuration)
  }

  /// Starts a stream, stopping the running one.
  ///
  /// - Throws: ``Devices/DeviceError`` as ``resolve(_:)``, and `outOfMemory` or `inputOutput`; the
  ///   camera is then stopped.
  package func start(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> CameraStream {
    let events = CameraEvents()
    let started = try await start(configuration) { event in
      guard let event else { return events.finish() }
      events.send(event)
    }
    return CameraStream(configuration: started, events: events)
  }

  /// Starts a stream, stopping the running one, with a closure that gets the events on a thread.
  ///
  /// - Throws: ``Devices/DeviceError`` as ``start(_:)``.
  package func start(
    _ configuration: StreamConfiguration, receive: @escaping @Sendable (CameraEvent?) -> Void
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    do {
      return try begin(configuration, receive)
    } catch {
      // The fault may have been found before the old stream was touched.
      await stop()
      throw error
    }
  }

  private func begin(
    _ configuration: StreamConfiguration, _ receive: @escaping @Sendable (CameraEvent?) -> Void
  ) throws(DeviceError) -> ResolvedStreamConfiguration {
    var configuration = configuration
    if configuration.controls == CameraControls() { configuration.controls = waitingControls }
    waitingControls = CameraControls()
    var request = try configuration.shimRequest(for: identity.id)
    // Events of the new stream must not reach the old one.
    endStream()
    var stream = platen_camera_stream()
    let outcome = ShimOutcome.of { cause, size in
      platen_camera_start(handle, &request, &stream, cause, size)
    }
    guard outcome.status == 0 else {
      throw DeviceError(outcome, device: identity.id, problem: "cannot be started")
    }
    let started = try resolved(stream, wanted: configuration)
    try watchEvents(of: started, receive)
    current = started
    return started
  }

  /// Leases a frame of the running stream by its ID; `nil` when the ring has moved past it.
  package func lease(_ id: UInt64) async -> FrameLease? {
    guard let current else { return nil }
    var lease: platen_camera_frame = 0
    var info = platen_camera_frame_info()
    var memory = platen_camera_frame_memory()
    guard platen_camera_lease(handle, id, &lease, &info, &memory) == 0 else { return nil }
    return FrameLease(
      info: FrameInfo(info, readoutDuration: current.readoutDuration), format: current.format,
      buffer: LibcameraFrameBuffer(lease: lease, memory: memory),
      raw: current.raw.flatMap { RawFrame(info, format: $0, lease: lease, memory: memory) },
      preview: current.preview.flatMap { PreviewImage($0, of: lease, memory: memory) })
  }

  /// Sets another frame rate while streaming, in frames per second, 0.001...1000.
  ///
  /// A rate beyond the mode's limits becomes the closest possible one, and a longer fixed exposure
  /// makes frames longer.
  ///
  /// - Returns: the resulting time between frames.
  /// - Throws: ``Devices/DeviceError``: `unsupported` when the camera does not stream,
  ///   `misconfigured`, `disconnected` or ``Devices/DeviceError/Code/needsNewProcess``.
  @discardableResult
  package func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    let duration = try StreamConfiguration.frameDuration(frameRate, device: identity.id)
    var applied: Int64 = 0
    let outcome = ShimOutcome.of { cause, size in
      platen_camera_set_frame_duration(handle, duration, &applied, cause, size)
    }
    guard outcome.status == 0 else {
      throw DeviceError(outcome, device: identity.id, problem: "cannot change its frame rate")
    }
    current?.frameDuration = .nanoseconds(applied)
    return .nanoseconds(applied)
  }

  /// Sets all controls with the next requests; a stopped camera keeps them for the next start.
  ///
  /// - Throws: ``Devices/DeviceError``: `unsupported` with the first control that is not listed or
  ///   out of its limits, `disconnected` or ``Devices/DeviceError/Code/needsNewProcess``.
  package func setControls(_ controls: CameraControls) async throws(DeviceError) {
    var request = try controls.shimControls(for: identity.id)
    let outcome = ShimOutcome.of { cause, size in
      platen_camera_set_controls(handle, &request, cause, size)
    }
    guard outcome.status == 0 else {
      throw DeviceError(outcome, device: identity.id, problem: DeviceError.cannotBeControlled)
    }
    if current == nil { waitingControls = controls }
  }

  /// Stops the stream and ends its events; leases stay valid.
  ///
  /// The call takes at most about ten seconds.
  package func stop() async {
    let outcome = ShimOutcome.of { cause, size in platen_camera_stop(handle, cause, size) }
    if outcome.status != 0 {
      report(outcome, "The camera could not be stopped")
    }
    endStream()
  }

  /// Closes the camera; it cannot be used afterwards.
  package func close() async {
    endStream()
    let outcome = ShimOutcome.of { cause, size in platen_camera_release(handle, cause, size) }
    if outcome.status != 0 {
      report(outcome, "The camera could not be closed")
    }
  }

  private func endStream() {
    events?.end()
    events = nil
    watch = nil
    current = nil
  }

  private func watchEvents(
    of started: ResolvedStreamConfiguration,
    _ receive: @escaping @Sendable (CameraEvent?) -> Void
  ) throws(DeviceError) {
    let events = LibcameraEvents(
      of: handle, device: identity.id, readoutDuration: started.readoutDuration, logger: logger,
      receive: receive)
    watch = EventThread(
      descriptor: eventDescriptor, handler: { events.take() }, failed: { events.fail($0) })
    guard watch != nil else {
      throw DeviceError(
        .inputOutput, device: identity.id, problem: "cannot be watched",
        cause: "there is no file descriptor left")
    }
    self.events = events
    events.listen()
  }

  private func resolved(
    _ stream: platen_camera_stream, wanted: StreamConfiguration
  ) throws(DeviceError) -> ResolvedStreamConfiguration {
    guard let resolved = ResolvedStreamConfiguration(stream, wanted: wanted) else {
      throw DeviceError(
        .unsupported, device: identity.id, problem: "cannot give this stream",
        cause: "libcamera chose the format \(stream.format)")
    }
    return resolved
  }

  private func report(_ outcome: ShimOutcome, _ message: Logger.Message) {
    logger.error(
      message, metadata: ["camera.id": "\(identity.id)", "cause": "\(outcome.cause)"])
  }
}
