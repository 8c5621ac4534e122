import TestSupport
import Testing

@testable import Console

@Suite struct JPEGHeaderTests {
  /// Returns the head of a frame of 4608x2592 after metadata of a length.
  private func head(metadata: Int, marker: UInt8 = 0xC0, fill: Int = 0) -> [UInt8] {
    let length = metadata + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
      + [UInt8](repeating: 0xC0, count: metadata)
      + [UInt8](repeating: 0xFF, count: fill)
      + [0xFF, marker, 0, 17, 8, 0x0A, 0x20, 0x12, 0x00, 3]
  }

  @Test(arguments: [0, 1, 1000, 60_000], [0xC0, 0xC1, 0xC2] as [UInt8])
  func `the size is read from the frame`(_ metadata: Int, _ marker: UInt8) {
    for fill in [0, 3] {
      let size = JPEGHeader.size(of: head(metadata: metadata, marker: marker, fill: fill))
      #expect(size?.width == 4608 && size?.height == 2592)
    }
  }

  @Test(
    arguments: [
      [], [0xFF], [0xFF, 0xD8], [0x49, 0x49, 0x2A, 0x00], [0xFF, 0xD8, 0x00, 0x00, 0, 0],
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 0], [0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 0, 0, 0, 0],
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 0, 0, 0, 3],
    ] as [[UInt8]])
  func `bytes without a frame have no size`(_ bytes: [UInt8]) {
    #expect(JPEGHeader.size(of: bytes) == nil)
  }

  @Test func `a truncated or damaged head is read without a crash`() {
    let whole = head(metadata: 300)
    for count in 0..<(whole.count - 1) {
      #expect(JPEGHeader.size(of: Array(whole.prefix(count))) == nil)
    }
    var random = TestSeed.generator()
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let size = JPEGHeader.size(of: bytes) {
        #expect(size.width > 0 && size.height > 0, "seed \(TestSeed.value)")
      }
    }
  }
}
