/// A setting of a sensor over its frames: the current value and the planned ones.
struct DelayedTrack<Value: Sendable>: Sendable {
  /// The value for the latest requested frame.
  private(set) var current: Value
  private var pending: [(sequence: UInt64, value: Value)] = []

  init(_ value: Value) { current = value }

  /// The value after all planned changes.
  var final: Value { pending.last?.value ?? current }

  /// Whether a planned change has not come yet.
  var isChanging: Bool { !pending.isEmpty }

  /// Returns the value after all changes that are planned before a frame.
  func value(before sequence: UInt64) -> Value {
    pending.last { $0.sequence < sequence }?.value ?? current
  }

  /// Plans values for a frame and the following frames, and replaces earlier plans for them.
  mutating func plan(_ values: [Value], from sequence: UInt64) {
    pending.removeAll { $0.sequence >= sequence }
    for (offset, value) in values.enumerated() {
      pending.append((sequence + UInt64(offset), value))
    }
  }

  /// Moves on to a frame and returns the frame's value.
  mutating func advance(to sequence: UInt64) -> Value {
    let due = pending.prefix { $0.sequence <= sequence }
    if let last = due.last { current = last.value }
    pending.removeFirst(due.count)
    return current
  }
}
