import Devices

/// An event of the session's stream that concerns its outputs.
enum StreamEvent {
  /// A stream has begun, with the number of frames that it keeps, of captures, and of leases.
  ///
  /// The leases are those of photos; those of movies come with the frames that these can have.
  case began(
    ringFrameCount: Int, maximumCapturesInFlight: Int, leasedFrameCount: Int = 1,
    movie: MovieSource? = nil)
  /// A frame has come, for requests with the lamp's light, for those without it, or for none.
  ///
  /// Without a lamp, all frames are for the former.
  case frame(FrameInfo, isLit: Bool, isDark: Bool = false)
  /// Frames exposed until now show another light than later ones, or the lamp has failed.
  case lightChanged
  /// Frames exposed until now may show the lamp's light, which is over.
  case lampDarkened
  /// The time has passed, perhaps beyond ``FrameOutput/nextDeadline``.
  case timePassed
  /// The stream has ended; requests that wait for its frames end with the reason.
  case ended(RefusalReason)
  /// The session has ended.
  case sessionEnded
}

/// An output of the session's frames (`AVCaptureOutput`), as a value without clock and camera.
protocol FrameOutput {
  /// The steps that the session carries out after an event; a beginning and a light cause none.
  associatedtype Reply

  /// Whether a frame is still to be exposed in the lamp's light for the output.
  var needsLight: Bool { get }
  /// The time at which the time alone concerns the output; `nil` when only other events do.
  var nextDeadline: MonotonicInstant? { get }

  /// Takes an event of the stream.
  mutating func take(_ event: StreamEvent, now: MonotonicInstant) -> Reply
}

/// The only list of a session's outputs, all of which take every event of its stream.
struct FrameOutputs {
  var photo: PhotoOutput
  var preview = PreviewOutput()
  var movie = MovieOutput()

  /// Whether an output needs the light whatever the session's flash mode is.
  var needsLight: Bool { photo.needsLight || preview.needsLight }

  var nextDeadline: MonotonicInstant? {
    var earliest = photo.nextDeadline
    if let other = preview.nextDeadline { earliest = min(earliest ?? other, other) }
    return earliest
  }

  @discardableResult
  mutating func take(_ event: StreamEvent, now: MonotonicInstant) -> PhotoOutput.Reply {
    preview.take(event, now: now)
    movie.take(event, now: now)
    return photo.take(event, now: now)
  }
}
