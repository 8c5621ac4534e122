/// A gate for one task at a time, in order of arrival; part of an actor's state.
package struct FairGate {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Makes a gate that is free.
  package init() {}

  /// Takes the gate if it is free; otherwise the caller has to ``wait(_:)``.
  package mutating func take() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// Queues a caller that could not take the gate; the caller has the gate when it is resumed.
  package mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiting.append(continuation)
  }

  /// Gives the gate to the next caller.
  package mutating func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
