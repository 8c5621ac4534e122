/// A camera as the system lists it.
package struct CameraDescription: Sendable, Hashable, Codable, Identifiable {
  /// The name that stays the same across restarts, for example libcamera's camera ID.
  package var id: String
  /// The sensor's or the camera's model, for example `imx708`.
  package var model: String
  /// The direction in which the camera looks, as reported.
  package var position: Position
  /// The rotation of the sensor in the housing, in counterclockwise degrees.
  ///
  /// It is libcamera's `Rotation` property; 0 when the camera does not report it.
  package var mountingRotation: Int
  /// The largest picture; `nil` when the camera does not report it.
  package var largestSize: FrameSize?

  /// The direction in which a camera looks (libcamera's `Location`).
  package enum Position: String, Sendable, Hashable, Codable {
    /// To the operator.
    case front
    /// Away from the operator.
    case back
    /// On a cable, for example a USB camera.
    case external
    /// The camera does not report a direction.
    case unspecified
  }

  package init(
    id: String, model: String, position: Position = .unspecified, mountingRotation: Int = 0,
    largestSize: FrameSize? = nil
  ) {
    self.id = id
    self.model = model
    self.position = position
    self.mountingRotation = mountingRotation
    self.largestSize = largestSize
  }
}

/// An event of a running stream.
package enum CameraEvent: Sendable, Hashable, Codable {
  /// A frame is finished and can be leased until the ring moves past it.
  case frame(FrameInfo)
  /// The driver marked a frame as damaged; it cannot be leased.
  case damagedFrame(sequence: UInt64)
  /// All buffers are leased: no frames come until a lease ends.
  case starved
  /// A buffer was released after ``starved``.
  case replenished
  /// The driver canceled its requests: the stream has stopped by itself, as after a timeout.
  case streamFailed(DeviceError)
  /// The camera has been disconnected.
  case disconnected
}

/// All cameras of a board: lists and opens them.
package protocol CameraSystem: Sendable {
  /// Prepares what the first call needs, so that this call does not wait for it.
  ///
  /// A failure is left to the first call, which retries.
  func prepare() async

  /// Lists the cameras, in the order of their IDs.
  ///
  /// - Throws: ``DeviceError``, code `permissionDenied` when nodes exist that may not be opened.
  func cameras() async throws(DeviceError) -> [CameraDescription]

  /// Opens a camera for this process alone.
  ///
  /// - Throws: ``DeviceError``: `absent` when there is no camera with that ID, `busy` when another
  ///   process has it.
  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera

  /// Releases the resources that the cameras share; all cameras must be closed before.
  func shutDown() async

  /// Discards everything that the cameras share, as a new process would.
  ///
  /// All cameras must be reopened. Running streams end, and calls of an open camera fail; leases
  /// stay readable. Where the cameras live in this process, the permanent state of their library
  /// stays.
  func restart() async

  /// The maximum time of a call of the system or its cameras, besides a frame's duration.
  ///
  /// A call that takes longer hangs, and only a new service helps.
  var longestCall: Duration { get }
}

extension CameraSystem {
  /// The default of 15 seconds: libcamera gives up on its own stop after ten.
  package var longestCall: Duration { .seconds(15) }

  /// Does nothing: most systems need nothing that takes long.
  package func prepare() async {}
}

/// An opened camera: a stream of numbered frames with a ring of the last ones.
///
/// The protocol does not need the frames to be made in this process: events are values and frames
/// are file descriptors.
package protocol Camera: Sendable {
  /// The camera's description in the list.
  var identity: CameraDescription { get }

  /// The camera's controls, and their limits with the stream that was started last.
  ///
  /// A closed or lost camera keeps the last reported ones.
  var capabilities: CameraCapabilities { get async }

  /// Returns the camera's resolution of a configuration, even while it streams.
  ///
  /// - Throws: ``DeviceError``, code `unsupported` when the camera supports none of the pixel
  ///   formats.
  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration

  /// Starts a stream, stopping the running one; the new events replace the old stream of events.
  ///
  /// The first frame has those ``StreamConfiguration/controls`` that the driver can apply at the
  /// start. The others follow within a few frames; ``FrameInfo`` has the values of each frame.
  ///
  /// - Throws: ``DeviceError``, code `unsupported` when the camera lacks one of the controls; the
  ///   camera is then stopped.
  func start(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> CameraStream

  /// Starts a stream like ``start(_:)``, with a closure that gets each event at once.
  ///
  /// The closure is called by one thread at a time, in the order of the events, and with `nil` at
  /// the end of the stream. The first events may come before this call returns. The closure must
  /// neither wait nor call the camera.
  ///
  /// - Returns: the resolved configuration of the frames.
  /// - Throws: ``DeviceError`` as ``start(_:)``.
  func start(
    _ configuration: StreamConfiguration, receive: @escaping @Sendable (CameraEvent?) -> Void
  ) async throws(DeviceError) -> ResolvedStreamConfiguration

  /// Leases a frame of the running stream by its ``FrameInfo/id``.
  ///
  /// - Returns: the lease, or `nil` when the ring has moved past the frame.
  func lease(_ id: UInt64) async -> FrameLease?

  /// Sets another frame rate while streaming, in frames per second, above 0.
  ///
  /// - Returns: the resulting time between frames, the closest that the stream's mode allows.
  /// - Throws: ``DeviceError``, code `unsupported` when the camera cannot change its frame rate.
  @discardableResult
  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration

  /// Sets all controls, replacing the previous ones.
  ///
  /// While the camera streams, the controls take effect some frames later, as ``FrameInfo`` shows.
  /// Successive calls take effect on successive frames where the camera's driver allows.
  /// A stopped camera keeps them for the next ``start(_:)`` whose configuration leaves all to the
  /// camera.
  ///
  /// - Throws: ``DeviceError``, code `unsupported`, with the name of the first control that the
  ///   camera lacks; nothing is changed then.
  func setControls(_ controls: CameraControls) async throws(DeviceError)

  /// Stops the stream and ends its events; leases stay valid. Does nothing when stopped.
  func stop() async

  /// Closes the camera; it cannot be used afterwards.
  func close() async
}

extension Camera {
  /// Starts a stream and passes its events on by a task, for cameras that have no thread to do so.
  package func start(
    _ configuration: StreamConfiguration, receive: @escaping @Sendable (CameraEvent?) -> Void
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    let stream = try await start(configuration)
    Task {
      for await event in stream.events { receive(event) }
      receive(nil)
    }
    return stream.configuration
  }
}

/// A stream that has been started.
package struct CameraStream: Sendable {
  /// The resolved configuration of the frames.
  package var configuration: ResolvedStreamConfiguration
  /// The events; they end when the stream stops.
  package var events: CameraEvents

  package init(configuration: ResolvedStreamConfiguration, events: CameraEvents) {
    self.configuration = configuration
    self.events = events
  }
}
