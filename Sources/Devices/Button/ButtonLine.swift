/// A change of a button's line, stamped by the kernel.
public struct LineEdge: Sendable, Hashable {
  /// Which way the line went, after active-low has been taken into account.
  public enum Kind: String, Sendable, Hashable {
    /// The button went down.
    case activated
    /// The button came up.
    case deactivated
  }

  /// Which way the line went.
  public var kind: Kind
  /// When, by the kernel's interrupt handler, before any debouncing.
  public var time: MonotonicInstant
  /// The kernel's number of the edge on this line; a gap means lost edges.
  ///
  /// `nil` where the kernel interface has none (GPIO character device version 1).
  public var lineSequence: UInt32?
  /// Whether the edge itself was lost and only the line's level told of it, some time later.
  public var isInferred: Bool

  /// Makes an edge.
  public init(
    kind: Kind, time: MonotonicInstant, lineSequence: UInt32? = nil, isInferred: Bool = false
  ) {
    self.kind = kind
    self.time = time
    self.lineSequence = lineSequence
    self.isInferred = isInferred
  }
}

/// What a button's line says.
public enum ButtonLineEvent: Sendable, Hashable {
  /// The line changed.
  case edge(LineEdge)
  /// The kernel's queue overflowed, or a reader was too slow; `count` edges are known to be lost.
  case lostEdges(count: Int)
  /// The line can no longer be read; the stream ends after this.
  case failed(DeviceError)
}

/// A button's line, being watched.
public struct ButtonLineWatch: Sendable {
  /// Whether the button was down when the watch began.
  public var isActiveAtStart: Bool
  /// What happens, undebounced, until the watch ends; the newest 1024 events are kept.
  public var events: AsyncStream<ButtonLineEvent>

  /// Makes a watch.
  public init(isActiveAtStart: Bool, events: AsyncStream<ButtonLineEvent>) {
    self.isActiveAtStart = isActiveAtStart
    self.events = events
  }
}

/// A GPIO line with a button on it.
public protocol ButtonLine: Sendable {
  /// The line as people know it, for example `SHUTTER` or `pinctrl-bcm2835 line 17`.
  var name: String { get }

  /// Takes the line and watches both edges; a second call ends the first watch.
  ///
  /// A storm of edges costs bounded processor time: the reader rests between batches, and what the
  /// kernel's queue cannot hold is counted as lost.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy` or `permissionDenied`.
  func watch() async throws(DeviceError) -> ButtonLineWatch

  /// Ends the watch and gives the line back.
  func release() async
}
