import Synchronization

/// The trust in the hardware's encoder, which its first failure ends for this run of the service.
///
/// An encoder may hang when it is opened, and one that can be opened may still fail at frames, or
/// hang. The next parts of recordings are then encoded by software.
final class HardwareEncoding: Sendable {
  private let hasFailed = Atomic(false)

  /// Whether the next part may use the hardware's encoder.
  var isTrusted: Bool { !hasFailed.load(ordering: .relaxed) }

  /// Notes a failure.
  func distrust() { hasFailed.store(true, ordering: .relaxed) }
}
