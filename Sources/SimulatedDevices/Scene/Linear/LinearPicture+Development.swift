import Devices
import Glibc

extension LinearPicture {
  /// Develops the picture into a frame without noise, as an image processor does.
  ///
  /// The steps are exposure, clipping, the curve of sRGB and the controls of the image. Each chroma
  /// sample is that of its first pixel. The channels clip at the same light. The format is
  /// `yuv420`, `nv12`, `rgb` or `bgr`, and has the picture's size.
  func develop(_ look: SceneLook, format: StreamFormat, into base: UnsafeMutableRawPointer) {
    let steps = 16_384
    let curve = (0...steps).map { (step: Int) -> Float in
      let code = 255 * SRGBCurve.encoded(Double(step) / Double(steps))
      let seen = (code - 128) * look.contrast + 128 + look.brightness * 255
      return Float(min(max(seen, 0), 255))
    }
    let limit = Float(steps)
    let scale = limit * Float(exp2(Double(look.brightnessStep) / 8))
    let saturation = Float(look.saturation)
    let chroma = Array(format.planes.dropFirst())
    func store(_ code: Float, at offset: Int) {
      let byte = UInt8(min(max(code, 0), 255).rounded())
      base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
    samples.withUnsafeBufferPointer { samples in
      func code(_ index: Int) -> Float {
        curve[Int(min(max(samples[index] * scale, 0), limit) + 0.5)]
      }
      for y in 0..<size.height {
        for x in 0..<size.width {
          let first = 3 * (y * size.width + x)
          // BT.601 with the full range (JFIF 1.02).
          let luma = 0.299 * code(first) + 0.587 * code(first + 1) + 0.114 * code(first + 2)
          let start = y * format.bytesPerRow
          if chroma.isEmpty {
            for channel in 0..<3 {
              let place = format.pixelFormat == .bgr ? 2 - channel : channel
              store(luma + (code(first + channel) - luma) * saturation, at: start + 3 * x + place)
            }
            continue
          }
          store(luma, at: start + x)
          guard x % 2 == 0, y % 2 == 0 else { continue }
          let colors = [(code(first + 2) - luma) / 1.772, (code(first) - luma) / 1.402]
          for (index, color) in colors.enumerated() {
            let place = chroma.count == 1 ? x + index : x / 2
            let plane = chroma[min(index, chroma.count - 1)]
            store(
              128 + color * saturation, at: plane.offset + y / 2 * plane.bytesPerRow + place)
          }
        }
      }
    }
  }
}
