import CGPIOLines
import Devices

/// An output line that this process holds; its end drives the line inactive and releases it.
///
/// The implementation uses `CGPIOLines` (libgpiod 1.6 or 2.x). A line must not be used from two
/// threads.
struct GPIOOutputLine: ~Copyable {
  private let handle: OpaquePointer

  /// Takes a line as an output that starts with a value.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or the kernel's error.
  init(
    _ address: GPIOLineAddress, isActiveLow: Bool, isActive: Bool
  ) throws(DeviceError) {
    handle = try openGPIOLine(address) { address, line, step in
      cgpiolines_open_output(&address, isActiveLow, isActive, &line, &step)
    }
  }

  deinit {
    // Chips treat a released line differently, so it is driven dark first.
    cgpiolines_set_value(handle, false)
    cgpiolines_close(handle)
  }

  /// Drives the line.
  borrowing func set(isActive: Bool) throws(SystemError) {
    let result = cgpiolines_set_value(handle, isActive)
    guard result == 0 else { throw SystemError(result) }
  }
}
