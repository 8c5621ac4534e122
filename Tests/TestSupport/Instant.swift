package import Devices

/// Returns the instant so many milliseconds after the clock's beginning.
package func instant(_ milliseconds: some BinaryInteger) -> MonotonicInstant {
  MonotonicInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
}
