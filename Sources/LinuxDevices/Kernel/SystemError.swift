import Devices
import Glibc

/// A system call's failure, before its device is known.
struct SystemError: Error, Hashable {
  /// The `errno`, positive.
  let number: Int32

  /// Makes an error from an `errno`; a negative number, as of C libraries, counts as positive.
  init(_ number: Int32) {
    self.number = abs(number)
  }

  /// The failure of the last system call on this thread.
  static var last: SystemError { SystemError(errno) }

  /// The kind of fault that the number means.
  var code: DeviceError.Code {
    switch number {
    case ENOENT, ENODEV, ENXIO: .absent
    case EBUSY: .busy
    case EACCES, EPERM: .permissionDenied
    case ENOMEM: .outOfMemory
    case ETIMEDOUT: .timedOut
    case EOPNOTSUPP, ENOSYS: .unsupported
    case EINVAL: .misconfigured
    default: .inputOutput
    }
  }

  /// The system's message for the number.
  var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else {
        return "error \(number)"
      }
      return String(cString: base)
    }
  }
}

extension DeviceError {
  /// Makes a device's error from a system call's failure, with its kind and cause.
  init(_ failure: SystemError, device: String, problem: String) {
    self.init(failure.code, device: device, problem: problem, cause: failure.text)
  }
}
