/// The current limits of a session, whatever their cause.
package struct CaptureConstraints: Sendable, Hashable {
  /// The handling of presses.
  package enum Shots: Sendable, Hashable {
    /// Presses are not limited.
    case unlimited
    /// At most one press in this time; an earlier one is refused.
    case spaced(Duration)
    /// All presses are refused.
    case refused
  }

  /// The operation of the preview.
  package enum Preview: Sendable, Hashable {
    /// The preview is not limited.
    case unlimited
    /// At most this many frames per second, above 0.
    case limited(framesPerSecond: Double)
    /// There is no preview.
    case stopped
  }

  /// The operation of recordings.
  package enum Movie: Sendable, Hashable {
    /// Recordings are not limited.
    case unlimited
    /// A part that begins has pictures of at most this many pixels, 4 or more.
    case limited(pixels: Int)
    /// A running recording ends, and none begins.
    case ended
  }

  /// The camera's maximum frame rate per second, above 0; `nil` for the configured one.
  package var maximumFrameRate: Double?
  /// The operation of the preview.
  package var preview: Preview = .unlimited
  /// The handling of presses.
  package var shots: Shots = .unlimited
  /// Whether frames may be averaged for the prioritization *quality*, brackets merged, and pages
  /// read that need not be turned.
  package var averagesFrames: Bool = true
  /// The operation of recordings, which ``maximumFrameRate`` limits, too.
  package var movie: Movie = .unlimited

  /// No constraints.
  package static let none = CaptureConstraints()
}
