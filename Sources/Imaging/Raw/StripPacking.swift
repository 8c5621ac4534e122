/// The placement of samples in the bytes of a TIFF strip without compression.
///
/// Words of 16 bits have the file's byte order, here the lowest byte first. Other depths are a
/// stream of bits with the highest bit first, in any byte order (TIFF 6, FillOrder 1; DNG 1.4,
/// BitsPerSample). Each row begins with a new byte.
struct StripPacking {
  /// The bits of a sample, 8...16.
  let bits: Int
  /// The bytes of a row.
  let bytesPerRow: Int

  /// Chooses the bits of a sample.
  ///
  /// darktable reads only rows that end with a byte, so other rows become words of 16 bits.
  init(bits: Int, width: Int) {
    self.bits = width * bits % 8 == 0 ? bits : 16
    bytesPerRow = width * self.bits / 8
  }

  /// Writes a row, each sample moved down by some bits.
  func pack(_ samples: [UInt16], shift: Int, into strip: inout [UInt8], row: Int) {
    let first = row * bytesPerRow
    strip.withUnsafeMutableBufferPointer { strip in
      var position = first
      if bits == 16 {
        for sample in samples {
          let sample = sample &>> shift
          strip[position] = UInt8(truncatingIfNeeded: sample)
          strip[position + 1] = UInt8(truncatingIfNeeded: sample &>> 8)
          position += 2
        }
        return
      }
      var waiting: UInt32 = 0
      var count = 0
      for sample in samples {
        waiting = waiting &<< bits | UInt32(sample &>> shift)
        count += bits
        while count >= 8 {
          count -= 8
          strip[position] = UInt8(truncatingIfNeeded: waiting &>> count)
          position += 1
        }
      }
    }
  }
}
