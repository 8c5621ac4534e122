import Synchronization

/// The trust of a recording in the hardware's encoder, which ends with its first failure.
///
/// An encoder that can be opened may still fail at frames, or hang. The next parts of the recording
/// are then encoded by software.
final class HardwareEncoding: Sendable {
  private let hasFailed = Atomic(false)

  /// Whether the next part may use the hardware's encoder.
  var isTrusted: Bool { !hasFailed.load(ordering: .relaxed) }

  /// Notes a failure.
  func distrust() { hasFailed.store(true, ordering: .relaxed) }
}
