import Devices

/// What the service asks the camera process; the number ties the answer to it.
enum HostCall: Sendable, Hashable, Codable {
  /// ``CameraSystem/cameras()``.
  case cameras
  /// ``CameraSystem/open(_:)``; the answer names the camera's number.
  case open(id: CameraDescription.ID)
  /// ``Camera/resolve(_:)``.
  case resolve(camera: Int, configuration: StreamConfiguration)
  /// ``Camera/start(_:)``; the service has chosen the stream's number, so that it can listen before
  /// the first event is sent.
  case start(camera: Int, stream: Int, configuration: StreamConfiguration)
  /// ``Camera/lease(_:)``.
  case lease(camera: Int, stream: Int, frame: UInt64)
  /// ``Camera/setFrameRate(_:)``.
  case setFrameRate(camera: Int, frameRate: Double)
  /// ``Camera/capabilities``.
  case capabilities(camera: Int)
  /// ``Camera/setControls(_:)``.
  case setControls(camera: Int, controls: CameraControls)
  /// ``Camera/stop()``.
  case stop(camera: Int)
  /// ``Camera/close()``.
  case close(camera: Int)
  /// ``CameraSystem/shutDown()``.
  case shutDown

  /// The call's name as people read it.
  var name: String {
    switch self {
    case .cameras: "list the cameras"
    case .open: "open"
    case .resolve: "resolve"
    case .start: "start"
    case .lease: "lease"
    case .setFrameRate: "set the frame rate"
    case .capabilities: "ask for the capabilities"
    case .setControls: "set the controls"
    case .stop: "stop"
    case .close: "close"
    case .shutDown: "shut down"
    }
  }
}

/// A message from the service to the camera process.
enum HostRequest: Sendable, Hashable, Codable {
  /// A call that is answered under its number.
  case call(id: UInt64, HostCall)
  /// A lease has ended; there is no answer.
  case giveBack(lease: UInt64)
  /// Nobody uses the camera any more, and it was not closed; there is no answer.
  case abandon(camera: Int)
}

/// What a call came to.
enum HostAnswer: Sendable, Hashable, Codable {
  /// The call is done and there is nothing to say.
  case done
  /// The cameras.
  case cameras([CameraDescription])
  /// The camera has been opened.
  case opened(camera: Int, HostedIdentity)
  /// What the camera makes of a configuration, or has started with.
  case resolved(ResolvedStreamConfiguration)
  /// The time between frames that was set.
  case frameDuration(Duration)
  /// What the camera can do.
  case capabilities(CameraCapabilities)
  /// A frame has been leased.
  case lease(HostedLease)
  /// The ring has moved past the frame.
  case noLease
  /// The call failed.
  case failure(DeviceError)
}

/// An opened camera as it is told over the socket.
struct HostedIdentity: Sendable, Hashable, Codable {
  /// The camera as it was listed.
  var identity: CameraDescription
  /// Which controls it has; told at once, so that they are known should the process end.
  var capabilities: CameraCapabilities
}

/// A leased frame as it is told over the socket.
struct HostedLease: Sendable, Hashable, Codable {
  /// What the lease is given back by.
  var lease: UInt64
  /// What is known of the frame.
  var info: FrameInfo
  /// How its samples lie in memory.
  var format: StreamFormat
  /// The buffer's number in its stream; its descriptor comes with the first lease on it.
  var buffer: Int
  /// Where the frame begins in the buffer, in bytes.
  var offset: Int
  /// Bytes of the frame in use.
  var byteCount: Int
}

/// A message from the camera process to the service.
enum HostReply: Sendable, Hashable, Codable {
  /// The process is ready for calls; the first message.
  case ready(HostGreeting)
  /// The answer to a call.
  case answer(id: UInt64, HostAnswer)
  /// Something happened on a stream.
  case event(stream: Int, CameraEvent)
  /// A stream has no more events.
  case endOfStream(Int)
}

/// How a camera process introduces itself.
struct HostGreeting: Sendable, Hashable, Codable {
  /// The version of these messages; both sides are the same binary, so another one is a fault.
  static let version = 1

  /// The version that the process speaks.
  var version = HostGreeting.version
  /// What the process has given up.
  var confinement: Confinement
}
