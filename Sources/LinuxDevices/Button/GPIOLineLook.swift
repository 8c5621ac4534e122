import CGPIOLines
public import Devices
import Glibc

/// What is known of a GPIO line without taking it.
public struct GPIOLineLook: Sendable, Hashable {
  /// Under which name this software takes its lines.
  public static let ownConsumer = "platen"

  /// Whether somebody holds the line: a process or a driver of the kernel.
  public var isUsed: Bool
  /// The name that the holder gave; `nil` when it gave none.
  public var consumer: String?

  /// Makes what is known.
  public init(isUsed: Bool, consumer: String? = nil) {
    self.isUsed = isUsed
    self.consumer = consumer
  }

  /// Whether this software holds the line, in whichever process.
  public var isOurs: Bool { isUsed && consumer == GPIOLineLook.ownConsumer }

  /// Looks at a line; it stands on `cgpiolines_look`, blocks for milliseconds and takes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or what the kernel says.
  public static func look(at address: GPIOLineAddress) throws(DeviceError) -> GPIOLineLook {
    var info = cgpiolines_info()
    try callGPIOLines(address, failure: "cannot be looked at") { cgpiolines_look(&$0, &info, &$1) }
    let consumer = withUnsafeBytes(of: info.consumer) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return GPIOLineLook(isUsed: info.is_used, consumer: consumer.isEmpty ? nil : consumer)
  }
}
