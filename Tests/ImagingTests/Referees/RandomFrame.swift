import Devices

@testable import Imaging

extension TestFrame {
  /// The compressed formats, with all color spaces that they come in.
  static let kinds: [JPEGEncoderTests.Input] = JPEGEncoderTests.inputs

  /// Returns a frame of any kind and size, full of noise with some order.
  static func random(
    upTo size: Int, using generator: inout some RandomNumberGenerator
  ) -> TestFrame {
    let kind = kinds.randomElement(using: &generator) ?? kinds[0]
    let width = Int.random(in: 1...size, using: &generator)
    let height = Int.random(in: 1...size, using: &generator)
    var frame = TestFrame(
      kind.pixelFormat, kind.colorSpace, width: width, height: height,
      extraBytesPerRow: 2 * Int.random(in: 0...20, using: &generator)
    ) { _, _ in RGB(red: 0, green: 0, blue: 0) }
    var level = UInt8.random(in: 0...255, using: &generator)
    for index in frame.bytes.indices {
      level = level &+ UInt8.random(in: 0...8, using: &generator) &- 4
      frame.bytes[index] = level
    }
    return frame
  }
}
