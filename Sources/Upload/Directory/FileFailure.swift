#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A system call about a file that failed.
struct FileFailure: Error, Hashable {
  /// The `errno`.
  let number: Int32
  /// What was to be done, for example `write`.
  let task: String
  /// The file.
  let path: String

  init(_ task: String, _ path: String, number: Int32 = errno) {
    self.number = number
    self.task = task
    self.path = path
  }

  /// What it means for a delivery to the drive that the file is on.
  var deliveryFailure: DeliveryFailure {
    let (code, scope): (DeliveryFailure.Code, DeliveryFailure.Scope) =
      switch number {
      case ENOSPC, EDQUOT: (.targetFull, .target)
      case EFBIG: (.rejected, .item)
      case ENAMETOOLONG: (.badName, .item)
      // Somebody has to change something: rights, a switch on the card, a link in the way.
      case EACCES, EPERM, EROFS, ELOOP, ENOTDIR, EISDIR: (.blocked, .target)
      // ENOENT, EIO, ENODEV, ENXIO, ENOTCONN, ESHUTDOWN and whatever else a drive that goes says.
      default: (.unreachable, .target)
      }
    return DeliveryFailure(code, scope: scope, text: text)
  }

  /// What it means for a delivery when the file is the item's own.
  var sourceFailure: DeliveryFailure {
    DeliveryFailure(.fileUnreadable, scope: .item, text: text)
  }

  private var text: String {
    "could not \(task) \"\(path)\": \(String(cString: strerror(number)))"
  }
}
