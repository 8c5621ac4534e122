import Devices

/// An encoder of raw rows, written from the descriptions of the formats in the kernel's manual.
enum RawPacking {
  /// Packs a row as a form places its samples.
  static func row(_ samples: [UInt16], _ format: RawFormat) -> [UInt8] {
    switch format.packing {
    case .none: samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    case .csi2: csi2(samples, bits: format.bitDepth)
    case .pispCompressed: pisp(samples)
    }
  }

  private static func csi2(_ samples: [UInt16], bits: Int) -> [UInt8] {
    let count = [8: 1, 10: 4, 12: 2, 14: 4][bits] ?? 1
    let lowBits = bits - 8
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: samples.count, by: count) {
      let group = (start..<start + count).map { $0 < samples.count ? Int(samples[$0]) : 0 }
      bytes += group.map { UInt8($0 >> lowBits) }
      var low = 0
      for sample in group.reversed() { low = low << lowBits | sample & ((1 << lowBits) - 1) }
      for byte in 0..<count * lowBits / 8 { bytes.append(UInt8((low >> (8 * byte)) & 255)) }
    }
    return bytes
  }

  private static func pisp(_ samples: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: samples.count, by: 8) {
      let block = (start..<start + 8).map { Int(samples[min($0, samples.count - 1)]) }
      for phase in 0..<2 {
        let word = pispWord([0, 2, 4, 6].map { block[$0 + phase] })
        for byte in 0..<4 { bytes.append(UInt8((word >> (8 * byte)) & 255)) }
      }
    }
    return bytes
  }

  /// Encodes four samples by the finest quantization that can hold them.
  static func pispWord(_ samples: [Int]) -> Int {
    let values = samples.map { max(0, $0 - 2048) }
    func level(_ value: Int, _ step: Int) -> Int { (value + step / 2) / step }
    for mode in 0..<3 {
      let levels = values.map { value in
        mode == 0 && value > 5120 ? 160 + level(value, 32) : level(value, [16, 64, 128][mode])
      }
      let areBothHigh = mode == 2 && levels[1] >= 384 && levels[2] >= 384
      let inner = areBothHigh ? levels[1] : min(levels[1], levels[2])
      func outer(_ level: Int, beside neighbor: Int) -> Int {
        level - (mode == 2 && neighbor >= 448 ? 384 : max(0, neighbor - 64))
      }
      let fields = [
        areBothHigh ? levels[2] & 127 : levels[2] - levels[1] + 64,
        outer(levels[0], beside: levels[1]), outer(levels[3], beside: levels[2]),
      ]
      guard inner <= 511, fields.allSatisfy({ (0...127).contains($0) }),
        mode < 2 || levels.allSatisfy({ $0 <= 511 })
      else { continue }
      return mode | inner << 2 | fields[0] << 11 | fields[1] << 18 | fields[2] << 25
    }
    let levels = values.map { $0 > 24064 ? 47 + level($0, 512) : level($0, 256) }
    func pair(_ first: Int, _ second: Int) -> Int {
      2816 * (first >> 4) + 16 * second + (first & 15)
    }
    return 3 | pair(levels[0], levels[1]) << 2 | pair(levels[2], levels[3]) << 17
  }
}

/// A raw frame full of noise with some order, and junk wherever no sample lies.
struct RawTestFrame {
  let format: RawFormat
  let size: FrameSize
  let rows: [[UInt16]]
  let bytesPerRow: Int
  let bytes: [UInt8]

  init(_ format: RawFormat, width: Int, height: Int, paint: ((Int, Int) -> Int)? = nil) {
    self.format = format
    size = FrameSize(width: width, height: height)
    var random = SeededNoise(state: UInt64(width * height + format.bitDepth))
    let most = 1 << format.bitDepth
    rows = (0..<height).map { row in
      let swing = 1 << (row % format.bitDepth)
      var level = random.next(most)
      return (0..<width).map { column in
        level = min(max(level + random.next(2 * swing + 1) - swing, 0), most - 1)
        return UInt16(paint?(column, row) ?? level)
      }
    }
    let packed = rows.map { RawPacking.row($0, format) }
    bytesPerRow = (packed.first?.count ?? 0) + 5
    bytes = Array(packed.map { $0 + [255, 0, 255, 85, 170] }.joined())
  }
}
