import Devices
import Glibc

/// A failed system call about a file.
struct FileFailure: Error, Hashable {
  private let error: SystemError
  /// The attempted action, for example `write`.
  let task: String
  /// The file's path.
  let path: String

  init(_ task: String, _ path: String, number: Int32 = errno) {
    error = SystemError(number)
    self.task = task
    self.path = path
  }

  /// The `errno`.
  var number: Int32 { error.number }

  /// The failure of a delivery to the drive that holds the file.
  var deliveryFailure: DeliveryFailure {
    let (code, scope): (DeliveryFailure.Code, DeliveryFailure.Scope) =
      switch number {
      case ENOSPC, EDQUOT: (.targetFull, .target)
      case EFBIG: (.rejected, .item)
      case ENAMETOOLONG: (.badName, .item)
      // A person must change something: permissions, the card's write protection or a link.
      case EACCES, EPERM, EROFS, ELOOP, ENOTDIR, EISDIR: (.blocked, .target)
      case _ where error.isResourceShortage: (.shortOfResources, .target)
      // ENOENT, EIO, ENODEV, ENXIO, ENOTCONN, ESHUTDOWN and other errors of a vanishing drive.
      default: (.unreachable, .target)
      }
    return DeliveryFailure(code, scope: scope, text: text)
  }

  /// The failure of a delivery whose source is this file.
  var sourceFailure: DeliveryFailure {
    error.isResourceShortage
      ? DeliveryFailure(.shortOfResources, scope: .target, text: text)
      : DeliveryFailure(.fileUnreadable, scope: .item, text: text)
  }

  private var text: String { "could not \(task) \"\(path)\": \(error)" }
}
