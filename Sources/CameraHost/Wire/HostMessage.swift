import Devices

/// A call of the service to the camera process.
enum HostCall: Sendable, Hashable, Codable {
  /// ``CameraSystem/cameras()``.
  case cameras
  /// ``CameraSystem/open(_:)``; the answer gives the camera's number.
  case open(id: CameraDescription.ID)
  /// ``Camera/resolve(_:)``.
  case resolve(camera: Int, configuration: StreamConfiguration)
  /// ``Camera/start(_:)`` with a stream number of the service, which so listens before any event.
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

  /// The call's name for people.
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
  /// A call, whose answer has the same number.
  case call(id: UInt64, HostCall)
  /// A lease has ended; there is no answer.
  case giveBack(lease: UInt64)
  /// The camera is unused and was not closed; there is no answer.
  case abandon(camera: Int)
}

/// The answer to a call.
enum HostAnswer: Sendable, Hashable, Codable {
  /// The call is done without a result.
  case done
  /// The cameras.
  case cameras([CameraDescription])
  /// The camera has been opened.
  case opened(camera: Int, HostedIdentity)
  /// The configuration that the camera would use or has started with.
  case resolved(ResolvedStreamConfiguration)
  /// The time between frames that was set.
  case frameDuration(Duration)
  /// The capabilities of the camera.
  case capabilities(CameraCapabilities)
  /// A frame has been leased.
  case lease(HostedLease)
  /// The ring has moved past the frame.
  case noLease
  /// The call failed.
  case failure(DeviceError)
}

/// The message about an opened camera.
struct HostedIdentity: Sendable, Hashable, Codable {
  /// The camera as it was listed.
  var identity: CameraDescription
  /// The camera's controls, sent at once so that they are known even if the process ends.
  var capabilities: CameraCapabilities
}

/// The message about a leased frame.
struct HostedLease: Sendable, Hashable, Codable {
  /// The lease's number, for its return.
  var lease: UInt64
  /// The frame's metadata.
  var info: FrameInfo
  /// The layout of the frame's samples in memory.
  var format: StreamFormat
  /// The buffer's number in its stream; the buffer's first lease brings the descriptor.
  var buffer: Int
  /// The offset of the frame in the buffer, in bytes.
  var offset: Int
  /// The number of the frame's bytes in use.
  var byteCount: Int
  /// The raw frame of the same exposure; `nil` when there is none.
  var raw: HostedRawFrame?
  /// The preview of the same moment; `nil` when there is none.
  var preview: HostedPreview?
}

/// The message about the preview of a leased frame.
struct HostedPreview: Sendable, Hashable, Codable {
  /// The layout of the samples in memory.
  var format: StreamFormat
  /// The buffer's number as in ``HostedRawFrame/buffer``; its descriptor comes last.
  var buffer: Int
  /// The offset of the samples in the buffer, in bytes.
  var offset: Int
  /// The number of the bytes in use.
  var byteCount: Int
}

/// The message about the raw frame of a leased frame.
struct HostedRawFrame: Sendable, Hashable, Codable {
  /// The layout of the samples in memory.
  var format: RawStreamFormat
  /// The numbers that turn the samples into colors.
  var properties: RawProperties
  /// The buffer's number in its stream, among all buffers of all kinds.
  ///
  /// The descriptor comes in the message that brings the processed frame's, after it.
  var buffer: Int
  /// The offset of the samples in the buffer, in bytes.
  var offset: Int
  /// The number of the bytes in use.
  var byteCount: Int
}

/// A message from the camera process to the service.
enum HostReply: Sendable, Hashable, Codable {
  /// The process is ready for calls; the first message of a process.
  case ready(HostGreeting)
  /// The answer to a call.
  case answer(id: UInt64, HostAnswer)
  /// An event of a stream.
  case event(stream: Int, CameraEvent)
  /// A stream has no more events.
  case endOfStream(Int)
}

/// The greeting of a camera process.
struct HostGreeting: Sendable, Hashable, Codable {
  /// The version of the messages; both sides are the same binary, so another version is a fault.
  static let version = 3

  /// The version that the process uses.
  var version = HostGreeting.version
  /// The rights that the process has given up.
  var confinement: Confinement
}
