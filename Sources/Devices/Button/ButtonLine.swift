/// A change of a button's line, stamped by the kernel.
package struct LineEdge: Sendable, Hashable {
  /// The direction of the change, after active-low has been taken into account.
  package enum Kind: String, Sendable, Hashable {
    /// The button went down.
    case activated
    /// The button came up.
    case deactivated
  }

  /// The direction of the change.
  package var kind: Kind
  /// The time from the kernel's interrupt handler, before any debouncing.
  package var time: MonotonicInstant
  /// The kernel's number of the edge on this line; a gap means lost edges.
  ///
  /// The value is `nil` where the kernel interface has none (GPIO character device version 1).
  package var lineSequence: UInt32?
  /// Whether the edge itself was lost and only a later reading of the line's level showed it.
  package var isInferred: Bool

  package init(
    kind: Kind, time: MonotonicInstant, lineSequence: UInt32? = nil, isInferred: Bool = false
  ) {
    self.kind = kind
    self.time = time
    self.lineSequence = lineSequence
    self.isInferred = isInferred
  }
}

/// An event of a button's line.
package enum ButtonLineEvent: Sendable, Hashable {
  /// The line changed.
  case edge(LineEdge)
  /// The kernel's queue overflowed, or a reader was too slow; `count` edges are known to be lost.
  case lostEdges(count: Int)
  /// The line can no longer be read; the stream ends after this.
  case failed(DeviceError)
}

/// A button's line, being watched.
package struct ButtonLineWatch: Sendable {
  /// Whether the button was down when the watch began.
  package var isActiveAtStart: Bool
  /// The undebounced events until the watch ends; the newest 1024 are kept.
  package var events: AsyncStream<ButtonLineEvent>

  package init(isActiveAtStart: Bool, events: AsyncStream<ButtonLineEvent>) {
    self.isActiveAtStart = isActiveAtStart
    self.events = events
  }
}

/// A GPIO line with a button on it.
package protocol ButtonLine: Sendable {
  /// The line's display name, for example `SHUTTER` or `pinctrl-bcm2835 line 17`.
  var name: String { get }

  /// Takes the line and watches both edges; a second call ends the first watch.
  ///
  /// A storm of edges costs limited processor time: the reader rests between batches, and edges
  /// that overflow the kernel's queue are counted as lost.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy` or `permissionDenied`.
  func watch() async throws(DeviceError) -> ButtonLineWatch

  /// Ends the watch and releases the line.
  func release() async
}
