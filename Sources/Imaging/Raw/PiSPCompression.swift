/// The decoder of a Raspberry Pi 5's compressed raw samples, mode 1 (`PISP_COMP1`).
///
/// The kernel's `pixfmt-srggb8-pisp-comp` describes the format. Eight samples have eight bytes: a
/// word for the even ones and a word for the odd ones. The two lowest bits of a word name its
/// quantization. libcamera always subtracts the same offset before the compression.
///
/// All results but the largest are multiples of 16, so 12 bits of a sample hold everything.
enum PiSPCompression {
  /// The samples and the bytes of a block.
  static let blockSize = 8
  /// The lowest bits of a sample, which say nothing.
  static let emptyBits = 4
  /// The number that was subtracted from each sample (libcamera's `DefaultCompressionOffset`).
  private static let offset = 2048

  /// Decodes a block into memory for eight samples.
  static func decode(_ block: UnsafePointer<UInt8>, into samples: UnsafeMutablePointer<UInt16>) {
    for phase in 0..<2 {
      var word = 0
      for byte in 0..<4 { word |= Int(block[4 * phase + byte]) << (8 * byte) }
      let mode = word & 3
      let levels = mode == 3 ? jointLevels(word) : deltaLevels(word, mode: mode)
      samples[phase] = sample(levels.0, mode: mode)
      samples[phase + 2] = sample(levels.1, mode: mode)
      samples[phase + 4] = sample(levels.2, mode: mode)
      samples[phase + 6] = sample(levels.3, mode: mode)
    }
  }

  /// Returns the levels of fields with 9, 7, 7 and 7 bits: two inner samples, two differences.
  private static func deltaLevels(_ word: Int, mode: Int) -> (Int, Int, Int, Int) {
    let (lower, difference) = ((word >> 2) & 511, (word >> 11) & 127)
    let first: Int
    let second: Int
    if mode == 2, lower >= 384 {
      (first, second) = (lower, difference + 384)
    } else if difference >= 64 {
      (first, second) = (lower, lower + difference - 64)
    } else {
      (first, second) = (lower + 64 - difference, lower)
    }
    /// Returns the level of an outer sample of 0.
    func base(_ inner: Int) -> Int {
      let base = max(0, inner - 64)
      return mode == 2 ? min(384, base) : base
    }
    let (left, right) = ((word >> 18) & 127, (word >> 25) & 127)
    return (base(first) + left, first, second, base(second) + right)
  }

  /// Returns the levels of two fields with 15 bits, each of which holds two of 176 levels.
  private static func jointLevels(_ word: Int) -> (Int, Int, Int, Int) {
    func pair(_ field: Int) -> (Int, Int) {
      ((field & 15) + 16 * ((field >> 8) / 11), (field >> 4) % 176)
    }
    let (first, second) = (pair((word >> 2) & 0x7FFF), pair((word >> 17) & 0x7FFF))
    return (first.0, first.1, second.0, second.1)
  }

  /// Returns the sample of a level.
  private static func sample(_ level: Int, mode: Int) -> UInt16 {
    let value =
      switch mode {
      case 0: level < 320 ? 16 * level : 32 * (level - 160)
      case 1: 64 * level
      case 2: 128 * level
      default: level < 94 ? 256 * level : min(0xFFFF, 512 * (level - 47))
      }
    return UInt16(min(0xFFFF, value + offset))
  }
}
