import Devices

/// Knows the frame for viewing; the session leases it on request.
struct PreviewOutput: FrameOutput {
  /// The newest frame of the stream, even one without the light for pictures.
  private(set) var newest: FrameInfo?
  /// The numbers of the frames that come; no listener delays a frame.
  let arrivals = EventHub<UInt64>()

  var needsLight: Bool { false }
  var nextDeadline: MonotonicInstant? { nil }

  mutating func take(_ event: StreamEvent, now: MonotonicInstant) {
    switch event {
    case .frame(let frame, _, _):
      newest = frame
      arrivals.send(frame.id)
    case .ended: newest = nil
    case .sessionEnded:
      newest = nil
      arrivals.finish()
    case .began, .lightChanged, .lampDarkened, .timePassed: break
    }
  }
}
