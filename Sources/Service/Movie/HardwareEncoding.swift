import Devices
import Synchronization

/// The trust in the hardware's encoder, which a failure ends for an hour.
///
/// A codec that hangs takes a recorder with it, and one that can be opened may still fail at frames.
/// Software encodes in its place meanwhile.
final class HardwareEncoding: Sendable {
  private static let rest = Duration.seconds(3600)
  private let end = Mutex<MonotonicInstant?>(nil)

  /// Returns whether a recorder may open the hardware's encoder.
  func isTrusted(at now: MonotonicInstant) -> Bool {
    end.withLock { $0.map { $0 <= now } ?? true }
  }

  /// Notes that a recorder has failed with the encoder.
  func distrust(at now: MonotonicInstant) {
    end.withLock { $0 = now.advanced(by: Self.rest) }
  }
}
