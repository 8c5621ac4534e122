/// A setting of a sensor over its frames: what holds now, and what will from which frame on.
struct DelayedTrack<Value: Sendable>: Sendable {
  /// What holds for the frame that was asked for last.
  private(set) var current: Value
  private var pending: [(sequence: UInt64, value: Value)] = []

  init(_ value: Value) { current = value }

  /// What will hold in the end.
  var final: Value { pending.last?.value ?? current }

  /// Whether something is planned that has not come yet.
  var isChanging: Bool { !pending.isEmpty }

  /// What will hold when everything that is planned before a frame has come.
  func value(before sequence: UInt64) -> Value {
    pending.last { $0.sequence < sequence }?.value ?? current
  }

  /// Plans values for a frame and those that follow it, in place of what was planned for them.
  mutating func plan(_ values: [Value], from sequence: UInt64) {
    pending.removeAll { $0.sequence >= sequence }
    for (offset, value) in values.enumerated() {
      pending.append((sequence + UInt64(offset), value))
    }
  }

  /// Moves on to a frame and returns what holds for it.
  mutating func advance(to sequence: UInt64) -> Value {
    let due = pending.prefix { $0.sequence <= sequence }
    if let last = due.last { current = last.value }
    pending.removeFirst(due.count)
    return current
  }
}
