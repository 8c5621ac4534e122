import Devices
import Glibc

/// The noise of a sensor in developed frames, different in each frame.
///
/// Each code has the deviation of its light, carried through the curve of sRGB. Chroma has no
/// noise, as after an image processor's color denoising.
struct FrameGrain: Sendable {
  /// The standard deviation of each code, in units of 1/256.
  private let deviations: [Int32]
  private let seed: UInt64

  init(_ response: SensorResponse, seed: UInt64) {
    self.seed = seed
    deviations = (0...255).map { (code: Int) -> Int32 in
      // A full pixel has no noise, for its light is beyond its range.
      guard code < 255 else { return 0 }
      func electrons(_ half: Double) -> Double {
        SRGBCurve.decoded((Double(code) + half) / 255) * response.range
      }
      let deviation = response.variance(ofElectrons: electrons(0)).squareRoot()
      return Int32(min(deviation / (electrons(0.5) - electrons(-0.5)), 255) * 256)
    }
  }

  /// Copies a frame in `yuv420`, `nv12`, `rgb` or `bgr`, and adds the noise of a frame number.
  func copy(
    _ clean: [UInt8], format: StreamFormat, number: UInt32, to base: UnsafeMutableRawPointer
  ) {
    let plane = format.bytesPerRow * format.size.height
    let columns = format.size.width * (format.planes.count == 1 ? 3 : 1)
    clean.withUnsafeBytes { clean in
      guard let source = clean.baseAddress else { return }
      memcpy(base + plane, source + plane, clean.count - plane)
      deviations.withUnsafeBufferPointer { deviations in
        NoiseTile.deviates.withUnsafeBufferPointer { deviates in
          for row in 0..<format.size.height {
            var place = NoiseTile.start(seed: seed, number: UInt64(number), row: row)
            var offset = row * format.bytesPerRow
            let end = offset + columns
            // A `while` loop is several times faster than a range in code without optimization.
            while offset < end {
              let code = clean[offset]
              let noise = deviations[Int(code)] &* Int32(deviates[place & NoiseTile.mask])
              let noisy = min(max(Int32(code) &+ (noise &+ 0x8000) >> 16, 0), 255)
              base.storeBytes(of: UInt8(noisy), toByteOffset: offset, as: UInt8.self)
              place &+= 1
              offset &+= 1
            }
          }
        }
      }
    }
  }
}
