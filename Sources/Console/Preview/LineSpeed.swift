import Foundation

/// A reader for the speed of a terminal's line.
package enum LineSpeed {
  /// The bits for each byte: 8N1 has a start bit and a stop bit.
  static let bitsPerByte = 10

  private static let speeds: [Int32: Int] = [
    B1200: 1200, B2400: 2400, B4800: 4800, B9600: 9600, B19200: 19_200, B38400: 38_400,
    B57600: 57_600, B115200: 115_200, B230400: 230_400, B460800: 460_800, B500000: 500_000,
    B576000: 576_000, B921600: 921_600, B1000000: 1_000_000, B1500000: 1_500_000,
    B2000000: 2_000_000, B3000000: 3_000_000, B4000000: 4_000_000,
  ]

  /// Returns the configured speed of a terminal in bits a second (`tcgetattr(3)`).
  ///
  /// - Returns: `nil` without a known speed. A pseudoterminal sends as fast as its reader reads;
  ///   its default of 38400 is therefore ignored.
  package static func of(_ descriptor: Int32) -> Int? {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0,
      let speed = speeds[Int32(bitPattern: cfgetospeed(&modes))]
    else { return nil }
    return speed == 38_400 && isPseudoterminal(descriptor) ? nil : speed
  }

  /// Returns whether the terminal is in `/dev/pts` (`ttyname_r(3)`).
  private static func isPseudoterminal(_ descriptor: Int32) -> Bool {
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &name, name.count) == 0 else { return false }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).hasPrefix("/dev/pts/")
  }
}
