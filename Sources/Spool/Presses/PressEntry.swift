package import Devices

/// The ledger's entry of one press, in flight or finished.
///
/// Everything but the number and the source may be unknown. A press that is entered again from a
/// picture's sidecar has no readiness, and a press in flight has no outcome.
package struct PressEntry: Sendable, Hashable {
  /// The outcome of a press.
  package enum Outcome: Sendable, Hashable {
    /// The press's pictures are or were on stable storage; their IDs are in the order of arrival.
    case stored([ItemID])
    /// There is no picture; the reason is spelled as in logs and in the API.
    case refused(String)
  }

  /// The number, ascending over restarts.
  package var number: Int64
  /// The time of the press: the kernel's timestamp of the edge, with the boot it belongs to.
  package var time: CaptureTime
  /// The source of the press.
  package var source: PressSource
  /// The gesture.
  package var gesture: Gesture?
  /// The button's name.
  package var button: String?
  /// The wanted bracket; `nil` for a single picture, and for a press known from its picture alone.
  package var bracket: Bracket?
  /// The readiness at the time of the press.
  package var readiness: CaptureReadiness?
  /// The outcome; `nil` while the press is in flight.
  package var outcome: Outcome?
  /// The driver's number of the frame that was taken.
  package var frame: Int64?
  /// The time from the press to the exposure's midpoint, in nanoseconds; negative when before.
  package var selectionErrorNanoseconds: Int64?
  /// The time from one frame to the next, in nanoseconds.
  package var frameIntervalNanoseconds: Int64?
  /// The time from the press to the frame's choice, in nanoseconds.
  package var pressToFrameNanoseconds: Int64?
  /// The time from the press to stable storage, in nanoseconds.
  package var pressToStoredNanoseconds: Int64?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  package var captureAngle: Int?
  /// The automatic controls that were still adjusting; `nil` for none.
  package var adjusting: [CameraAdjustment]?
  /// The problems of the picture; empty for none, and `nil` for a page that was not read.
  package var warnings: [PageWarning]?

  package init(number: Int64, time: CaptureTime, source: PressSource) {
    self.number = number
    self.time = time
    self.source = source
  }

  /// The pictures of a stored press; empty for any other.
  package var items: [ItemID] {
    if case .stored(let items) = outcome { items } else { [] }
  }

  /// The reason of a refused press.
  package var reason: String? {
    if case .refused(let reason) = outcome { reason } else { nil }
  }
}

extension PressEntry {
  /// The maximum number of picture IDs that are kept for one press.
  static let itemLimit = 64
  /// The number of characters of a word that are kept.
  static let wordLimit = 64

  /// Whether another entry may be of the same press; presses of two boots may share a number.
  func isSamePress(as other: PressEntry) -> Bool {
    guard number == other.number else { return false }
    guard let bootID = time.bootID, let otherID = other.time.bootID else { return true }
    return bootID == otherID
  }

  /// Adds the facts of another entry of the same press.
  ///
  /// Known facts stay. The first outcome stays, but a stored picture replaces a refusal. The
  /// ledger's rows absorb entries in the same way. An entry of another boot's press changes
  /// nothing.
  package mutating func absorb(_ other: PressEntry) {
    guard isSamePress(as: other) else { return }
    time.bootID = time.bootID ?? other.time.bootID
    time.monotonicNanoseconds = time.monotonicNanoseconds ?? other.time.monotonicNanoseconds
    if time.wallNanoseconds == nil {
      time.wallNanoseconds = other.time.wallNanoseconds
      time.wallTrust = other.time.wallTrust
    }
    gesture = gesture ?? other.gesture
    button = button ?? other.button
    bracket = bracket ?? other.bracket
    readiness = readiness ?? other.readiness
    outcome = Self.outcome(outcome, other.outcome)
    frame = frame ?? other.frame
    selectionErrorNanoseconds = selectionErrorNanoseconds ?? other.selectionErrorNanoseconds
    frameIntervalNanoseconds = frameIntervalNanoseconds ?? other.frameIntervalNanoseconds
    pressToFrameNanoseconds = pressToFrameNanoseconds ?? other.pressToFrameNanoseconds
    pressToStoredNanoseconds = pressToStoredNanoseconds ?? other.pressToStoredNanoseconds
    captureAngle = captureAngle ?? other.captureAngle
    adjusting = adjusting ?? other.adjusting
    warnings = warnings ?? other.warnings
  }

  private static func outcome(_ first: Outcome?, _ second: Outcome?) -> Outcome? {
    switch (first, second) {
    case (.stored(let items), .stored(let others)):
      .stored(Array((items + others.filter { !items.contains($0) }).prefix(itemLimit)))
    case (.stored, _): first
    case (_, .stored): second
    default: first ?? second
    }
  }
}

/// The edges of a button's line that the kernel counted and the service did not receive.
package struct LostEdges: Sendable, Hashable {
  /// The button's name.
  package var button: String
  /// The number of edges, 1 or more: the gap in the kernel's sequence numbers.
  package var count: Int64
  /// The time at which the first gap was noticed.
  package var time: CaptureTime

  package init(button: String, count: Int64, time: CaptureTime) {
    self.button = button
    self.count = count
    self.time = time
  }
}
