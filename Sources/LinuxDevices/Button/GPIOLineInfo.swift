import CGPIOLines
package import Devices
import Glibc

/// The state of a GPIO line, read without taking it.
package struct GPIOLineInfo: Sendable, Hashable {
  /// The consumer name under which this software takes its lines.
  package static let ownConsumer = "platen"

  /// Whether a process or a driver of the kernel holds the line.
  package var isUsed: Bool
  /// The name that the holder gave; `nil` when it gave none.
  package var consumer: String?

  /// Whether this software holds the line, in any process.
  package var isOurs: Bool { isUsed && consumer == GPIOLineInfo.ownConsumer }

  /// Reads a line's state with `cgpiolines_look`, which blocks for milliseconds and takes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or the kernel's error.
  package static func read(_ address: GPIOLineAddress) throws(DeviceError) -> GPIOLineInfo {
    var info = cgpiolines_info()
    try callGPIOLines(address, failure: "cannot be looked at") { cgpiolines_look(&$0, &info, &$1) }
    let consumer = withUnsafeBytes(of: info.consumer) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return GPIOLineInfo(isUsed: info.is_used, consumer: consumer.isEmpty ? nil : consumer)
  }
}
