import Synchronization

/// A switch that tells whether a fault is to happen now.
final class Trigger: Sendable {
  private let armed = Atomic(false)
  var isArmed: Bool { armed.load(ordering: .sequentiallyConsistent) }
  func arm() { armed.store(true, ordering: .sequentiallyConsistent) }
  func disarm() { armed.store(false, ordering: .sequentiallyConsistent) }
}
