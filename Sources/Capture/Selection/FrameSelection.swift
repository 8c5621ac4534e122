package import Devices

/// The frame that was chosen for a press.
package struct FrameSelection: Sendable, Hashable {
  /// The number under which the selector was asked for the frame.
  package var number: Int64
  /// The frame whose exposure midpoint is nearest the press.
  package var frame: FrameInfo
  /// The time from the press to the exposure midpoint; negative when before the press.
  package var error: Duration
  /// The time between the newest two frames; `nil` when there was only one.
  package var frameInterval: Duration?

  /// The time of the press.
  package var pressTime: MonotonicInstant {
    frame.exposureMidpoint.advanced(by: .zero - error)
  }
}

extension FrameSelector {
  /// The result of a press.
  package enum Choice: Sendable, Hashable {
    /// The nearest frame is certain.
    case frame(FrameSelection)
    /// A later frame may be nearer.
    case waits
    /// The press came so late that the frame of its moment has been overwritten.
    case tooLate
    /// The stream paused at the press's moment; the nearest frame shows another one.
    case noFrame(nearest: FrameSelection)
  }

  /// The presses that a frame settles.
  package struct Settlement: Sendable, Hashable {
    /// The presses whose nearest frame is certain now.
    package var chosen: [FrameSelection] = []
    /// The nearest frames of the presses during whose moment the stream paused.
    package var missed: [FrameSelection] = []
  }
}
