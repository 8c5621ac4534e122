/// What the ledger knows of one press, in flight or finished.
///
/// Everything but the number and where it came from may be unknown: a press that is entered again
/// from a picture's sidecar has no readiness, and one in flight no outcome.
public struct PressEntry: Sendable, Hashable {
  /// How a press ended.
  public enum Outcome: Sendable, Hashable {
    /// Pictures of it are, or were, on stable storage; their IDs in the order in which they came.
    case stored([ItemID])
    /// There is no picture, and why, spelled as in logs and in the API.
    case refused(String)
  }

  /// The number, ascending over restarts.
  public var number: Int64
  /// When it was pressed: the kernel's timestamp of the edge, with the boot in which it has a meaning.
  public var time: CaptureTime
  /// Where it came from, for example `button` or `api`.
  public var source: String
  /// The gesture, for example `single`.
  public var gesture: String?
  /// The button's name.
  public var button: String?
  /// The state of the readiness when it was pressed.
  public var readiness: String?
  /// How it ended; `nil` while it is in flight.
  public var outcome: Outcome?
  /// The camera's number of the frame that was taken.
  public var frame: Int64?
  /// How far the exposure's midpoint lies behind the press, in nanoseconds; negative when before.
  public var selectionErrorNanoseconds: Int64?
  /// The time from one frame to the next, in nanoseconds.
  public var frameIntervalNanoseconds: Int64?
  /// From the press to the frame's choice, in nanoseconds.
  public var pressToFrameNanoseconds: Int64?
  /// From the press to stable storage, in nanoseconds.
  public var pressToStoredNanoseconds: Int64?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  public var captureAngle: Int?
  /// The camera's automatics that still looked for the right value, for example `focus`; `nil` when
  /// none did.
  public var adjusting: [String]?

  /// Makes the entry of a press in flight.
  public init(number: Int64, time: CaptureTime, source: String) {
    self.number = number
    self.time = time
    self.source = source
  }

  /// The pictures of a stored press; empty for any other.
  public var items: [ItemID] {
    if case .stored(let items) = outcome { items } else { [] }
  }

  /// The reason of a refused press.
  public var reason: String? {
    if case .refused(let reason) = outcome { reason } else { nil }
  }
}

extension PressEntry {
  /// IDs of pictures that are kept for one press, at most.
  static let itemLimit = 64
  /// Characters of a word that are kept.
  static let wordLimit = 64

  /// Whether another entry may be of the same press: numbers of two boots may only look the same.
  func isSamePress(as other: PressEntry) -> Bool {
    guard number == other.number else { return false }
    guard let bootID = time.bootID, let otherID = other.time.bootID else { return true }
    return bootID == otherID
  }

  /// Takes in what another entry of the same press says.
  ///
  /// What is known stays; the first outcome stays, but that a picture is there counts for more than
  /// a refusal. The ledger's rows take in entries in the same way. An entry of another boot's press
  /// changes nothing.
  public mutating func absorb(_ other: PressEntry) {
    guard isSamePress(as: other) else { return }
    time.bootID = time.bootID ?? other.time.bootID
    time.monotonicNanoseconds = time.monotonicNanoseconds ?? other.time.monotonicNanoseconds
    if time.wallNanoseconds == nil {
      time.wallNanoseconds = other.time.wallNanoseconds
      time.wallTrust = other.time.wallTrust
    }
    gesture = gesture ?? other.gesture
    button = button ?? other.button
    readiness = readiness ?? other.readiness
    outcome = Self.outcome(outcome, other.outcome)
    frame = frame ?? other.frame
    selectionErrorNanoseconds = selectionErrorNanoseconds ?? other.selectionErrorNanoseconds
    frameIntervalNanoseconds = frameIntervalNanoseconds ?? other.frameIntervalNanoseconds
    pressToFrameNanoseconds = pressToFrameNanoseconds ?? other.pressToFrameNanoseconds
    pressToStoredNanoseconds = pressToStoredNanoseconds ?? other.pressToStoredNanoseconds
    captureAngle = captureAngle ?? other.captureAngle
    adjusting = adjusting ?? other.adjusting
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

/// Edges of a button's line that the kernel counted and nobody got to see.
public struct LostEdges: Sendable, Hashable {
  /// The button's name.
  public var button: String
  /// How many edges, 1 or more: the gap in the kernel's sequence numbers.
  public var count: Int64
  /// When the gap was noticed, the first one of them.
  public var time: CaptureTime

  /// Makes a note of lost edges.
  public init(button: String, count: Int64, time: CaptureTime) {
    self.button = button
    self.count = count
    self.time = time
  }
}
