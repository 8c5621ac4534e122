/// A number as a row of black and white blocks, which survives a JPEG.
///
/// The blocks from left to right are the guard 1 0, the number's bits, a CRC-8 of the bits, and the
/// guard 0 1. The highest bit comes first. Black is 1.
struct BlockCode: Sendable, Hashable {
  /// The number of bits of the coded number, a multiple of 8 up to 48.
  let payloadBits: Int

  /// The number of blocks in a row.
  var blockCount: Int { payloadBits + 12 }

  /// The code of frame numbers.
  static let frame = BlockCode(payloadBits: 32)
  /// The code of page numbers.
  static let page = BlockCode(payloadBits: 16)

  /// Returns the blocks of a number, `true` being black.
  func blocks(of number: UInt64) -> [Bool] {
    let word = word(of: number)
    return (0..<blockCount).map { isBlack($0, in: word) }
  }

  /// Returns the blocks of a number as bits, the last block being the lowest bit.
  func word(of number: UInt64) -> UInt64 {
    let payload = number & ((1 << UInt64(payloadBits)) - 1)
    var word: UInt64 = 0b10
    word = word << UInt64(payloadBits) | payload
    word = word << 8 | UInt64(checksum(number))
    return word << 2 | 0b01
  }

  /// Returns whether a block of a ``word(of:)`` is black, counted from the left.
  func isBlack(_ index: Int, in word: UInt64) -> Bool {
    word >> UInt64(blockCount - 1 - index) & 1 == 1
  }

  /// Decodes the number of a row of blocks.
  ///
  /// - Parameter lumas: the blocks' mean brightness, 0...255, from left to right.
  /// - Returns: `nil` when the guards or the checksum are wrong, or there is too little contrast.
  func number(fromLumas lumas: [Double]) -> UInt64? {
    guard lumas.count == blockCount else { return nil }
    let black = (lumas[0] + lumas[blockCount - 1]) / 2
    let white = (lumas[1] + lumas[blockCount - 2]) / 2
    guard white - black >= 64 else { return nil }
    let threshold = (white + black) / 2
    let blocks = lumas.map { $0 < threshold }
    guard blocks[0], !blocks[1], !blocks[blockCount - 2], blocks[blockCount - 1] else { return nil }
    let number = value(of: blocks[2..<(2 + payloadBits)])
    let found = value(of: blocks[(2 + payloadBits)..<(10 + payloadBits)])
    return found == UInt64(checksum(number)) ? number : nil
  }

  private func value(of bits: ArraySlice<Bool>) -> UInt64 {
    bits.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  /// Computes the CRC-8 with the polynomial 0x07 and the start value 0xFF, highest byte first.
  private func checksum(_ number: UInt64) -> UInt8 {
    var crc: UInt8 = 0xFF
    for place in (0..<payloadBits).reversed() {
      let isSet = (crc & 0x80 != 0) != (number >> UInt64(place) & 1 == 1)
      crc <<= 1
      if isSet { crc ^= 0x07 }
    }
    return crc
  }
}
