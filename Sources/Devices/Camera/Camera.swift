/// A camera as the system lists it.
public struct CameraDescription: Sendable, Hashable, Codable, Identifiable {
  /// The name that stays the same over restarts, for example libcamera's camera ID.
  public var id: String
  /// The sensor's or the camera's model, for example `imx708`.
  public var model: String
  /// Where the camera is said to look.
  public var position: Position
  /// How far the sensor is turned in the housing: counter-clockwise degrees as libcamera's
  /// `Rotation` property has it; 0 when nothing is said.
  public var mountingRotation: Int
  /// The largest picture; `nil` when the camera does not say.
  public var largestSize: FrameSize?

  /// Where a camera looks (libcamera's `Location`).
  public enum Position: String, Sendable, Hashable, Codable {
    /// To the operator.
    case front
    /// Away from the operator.
    case back
    /// On a cable, for example a USB camera.
    case external
    /// Nothing is said.
    case unspecified
  }

  /// Makes a description.
  public init(
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

/// What a camera says while its stream runs.
public enum CameraEvent: Sendable, Hashable, Codable {
  /// A frame is finished and can be leased until the ring moves past it.
  case frame(FrameInfo)
  /// The driver marked a frame as damaged; it cannot be leased.
  case damagedFrame(sequence: UInt64)
  /// All buffers are leased: no frames come until one is given back.
  case starved
  /// A buffer was given back after ``starved``.
  case replenished
  /// The driver cancelled its requests: the stream has stopped by itself (a front-end timeout, for example).
  case streamFailed(DeviceError)
  /// The camera is gone.
  case disconnected
}

/// All cameras of a board: lists and opens them.
public protocol CameraSystem: Sendable {
  /// Lists the cameras, in the order of their IDs.
  ///
  /// - Throws: ``DeviceError``, code `permissionDenied` when nodes exist that may not be opened.
  func cameras() async throws(DeviceError) -> [CameraDescription]

  /// Opens a camera for this process alone.
  ///
  /// - Throws: ``DeviceError``: `absent` when there is none with that ID, `busy` when another
  ///   process has it.
  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera

  /// Releases what the cameras share; all cameras must be closed before.
  func shutDown() async

  /// Throws away everything that the cameras share, as a new process would; all cameras must be
  /// opened anew.
  ///
  /// Streams that run end and what is asked of an open camera fails; leases stay readable. Where the
  /// cameras live in this process, what their library keeps for good stays.
  func startAnew() async

  /// How long any one call of the system or of its cameras may take, besides the duration of a
  /// frame; a call that takes longer hangs, and nothing but a new service helps.
  var longestCall: Duration { get }
}

extension CameraSystem {
  /// 15 seconds: libcamera gives up on its own stop after ten.
  public var longestCall: Duration { .seconds(15) }
}

/// An opened camera: a stream of numbered frames with a ring of the last ones.
///
/// Nothing in this protocol needs the frames to be made in this process: events are values and
/// frames are file descriptors.
public protocol Camera: Sendable {
  /// The camera as it was listed.
  var identity: CameraDescription { get }

  /// Which controls the camera has, and their limits with the stream that was started last; what it
  /// told last when it is closed or gone.
  var capabilities: CameraCapabilities { get async }

  /// Says what the camera would make of a configuration, also while it streams.
  ///
  /// - Throws: ``DeviceError``, code `unsupported` when none of the pixel formats can be had.
  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration

  /// Starts a stream, stopping the one that runs; the new events replace the old stream of events.
  ///
  /// The events are buffered without limit of time but not of number: the newest 256 are kept.
  /// Of ``StreamConfiguration/controls`` the first frame has what the driver lets a camera start
  /// with, the others follow within a few frames; ``FrameInfo`` tells what a frame really had.
  ///
  /// - Throws: ``DeviceError``, code `unsupported` when the camera has not all of the controls; the
  ///   camera is then stopped.
  func start(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> CameraStream

  /// Leases a frame of the running stream by its ``FrameInfo/id``.
  ///
  /// - Returns: the lease, or `nil` when the ring has moved past the frame.
  func lease(_ id: UInt64) async -> FrameLease?

  /// Asks for another frame rate while streaming, in frames a second, above 0.
  ///
  /// - Returns: the time between frames that was set: the closest that the stream's mode allows.
  /// - Throws: ``DeviceError``, code `unsupported` when the camera cannot.
  @discardableResult
  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration

  /// Sets all controls, replacing those that were set before.
  ///
  /// While it streams they take effect some frames later, as ``FrameInfo`` tells. A stopped camera
  /// keeps them for the next ``start(_:)`` whose configuration leaves all to the camera.
  ///
  /// - Throws: ``DeviceError``, code `unsupported`, with the name of the first control that the
  ///   camera has not; all stays as it was then.
  func setControls(_ controls: CameraControls) async throws(DeviceError)

  /// Stops the stream and ends its events; leases stay valid. Does nothing when stopped.
  func stop() async

  /// Gives the camera up; nothing can be done with it afterwards.
  func close() async
}

/// A stream that has been started.
public struct CameraStream: Sendable {
  /// What the frames look like.
  public var configuration: ResolvedStreamConfiguration
  /// What happens; ends when the stream stops.
  public var events: AsyncStream<CameraEvent>

  /// Makes a started stream.
  public init(configuration: ResolvedStreamConfiguration, events: AsyncStream<CameraEvent>) {
    self.configuration = configuration
    self.events = events
  }
}
