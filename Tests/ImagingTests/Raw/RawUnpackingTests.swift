import Devices
import Imaging
import Testing

struct RawUnpackingTests {
  static let exactFormats =
    [8, 10, 12, 14, 16].map { RawFormat(mosaic: .rggb, bitDepth: $0, packing: .none) }
    + [8, 10, 12, 14].map { RawFormat(mosaic: .bggr, bitDepth: $0, packing: .csi2) }
  static let compressed = RawFormat(mosaic: .gbrg, bitDepth: 16, packing: .pispCompressed)

  static func unpack(
    _ frame: RawTestFrame, bytesPerRow: Int? = nil, missing: Int = 0
  ) throws -> [[UInt16]] {
    try frame.bytes.dropLast(missing).withUnsafeBytes { bytes in
      let unpacking = try RawUnpacking(
        bytes, format: frame.format, size: frame.size,
        bytesPerRow: bytesPerRow ?? frame.bytesPerRow)
      return try (0..<frame.size.height).map { try unpacking.row($0) }
    }
  }

  @Test(arguments: exactFormats, [1, 7, 64])
  func `Unpacked samples are those that were packed`(_ format: RawFormat, width: Int) throws {
    let frame = RawTestFrame(format, width: width, height: 20)
    #expect(try Self.unpack(frame) == frame.rows)
    // The padding behind the last row may be missing, and nothing else.
    #expect(try Self.unpack(frame, missing: 5) == frame.rows)
    for (bytesPerRow, missing) in [(frame.bytesPerRow, 6), (frame.bytesPerRow - 6, 0), (-1, 0)] {
      let error = #expect(throws: ImagingError.self) {
        try Self.unpack(frame, bytesPerRow: bytesPerRow, missing: missing)
      }
      #expect(error?.code == .malformedFrame)
    }
  }

  @Test
  func `Compressed samples differ by half a step of their quantization at most`() throws {
    let frame = RawTestFrame(Self.compressed, width: 63, height: 400)
    let unpacked = try Self.unpack(frame)
    var modes: Set<UInt8> = []
    for (row, (wanted, got)) in zip(frame.rows, unpacked).enumerated() {
      #expect(got.count == wanted.count)
      for (column, (wanted, got)) in zip(wanted, got).enumerated() {
        let block = row * frame.bytesPerRow + column / 8 * 8
        let mode = frame.bytes[block + column % 2 * 4] & 3
        modes.insert(mode)
        let distance = abs(Int(got) - Int(max(wanted, 2048)))
        let tolerance = [16, 32, 64, 256][Int(mode)]
        #expect(distance <= tolerance, "\(wanted) became \(got), mode \(mode)")
      }
    }
    #expect(modes == [0, 1, 2, 3])
  }

  /// Words of every mode, with the samples that the decoder of rpicam-apps makes of them.
  static let words: [(Int, [UInt16])] = [
    (0x1234_5678, [10272, 11904, 10176, 8416]), (0x89AB_CDED, [28992, 26304, 29952, 30208]),
    (0xFEDC_BA9A, [27392, 28544, 23296, 31360]), (0x7777_7777, [50176, 25856, 25344, 21248]),
    (0xDEAD_BEEF, [65535, 8960, 62976, 7424]), (0xFFFF_FFFE, [65535, 65535, 65535, 65535]),
  ]

  @Test(arguments: words)
  func `Compressed words give rpicam's samples`(_ word: Int, _ samples: [UInt16]) throws {
    let bytes = (0..<8).map { UInt8((word >> (8 * ($0 % 4))) & 255) }
    let row = try bytes.withUnsafeBytes {
      try RawUnpacking(
        $0, format: Self.compressed, size: FrameSize(width: 8, height: 1), bytesPerRow: 8
      ).row(0)
    }
    #expect(row == samples.flatMap { [$0, $0] })
  }

  @Test
  func `Samples beyond the depth and unknown forms are refused`() throws {
    let format = RawFormat(mosaic: .rggb, bitDepth: 12, packing: .none)
    let frame = RawTestFrame(format, width: 4, height: 2) { column, _ in column == 3 ? 4096 : 0 }
    var error = #expect(throws: ImagingError.self) { try Self.unpack(frame) }
    #expect(error?.code == .malformedFrame)
    let unknown: [(Int, RawFormat.Packing)] = [(11, .none), (16, .csi2), (12, .pispCompressed)]
    let bytes = [UInt8](repeating: 0, count: 64)
    for (bits, packing) in unknown {
      error = #expect(throws: ImagingError.self) {
        try bytes.withUnsafeBytes {
          _ = try RawUnpacking(
            $0, format: RawFormat(mosaic: .rggb, bitDepth: bits, packing: packing),
            size: FrameSize(width: 8, height: 1), bytesPerRow: 64)
        }
      }
      #expect(error?.code == .unsupported)
    }
  }
}
