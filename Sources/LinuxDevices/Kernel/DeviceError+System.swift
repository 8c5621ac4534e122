import Devices
import Glibc

extension SystemError {
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
}

extension DeviceError {
  /// Makes a device's error from a system call's failure, with its kind and cause.
  init(_ failure: SystemError, device: String, problem: String) {
    self.init(failure.code, device: device, problem: problem, cause: failure.description)
  }
}
