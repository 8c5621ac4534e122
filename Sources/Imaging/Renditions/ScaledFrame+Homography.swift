import Devices

/// The resampling of a frame through a projective map.
///
/// Leptonica's `pixProjective` takes RGB only, so that luma and chroma would be converted twice.
extension ScaledFrame {
  /// Makes a frame whose samples are interpolated between four of another frame.
  ///
  /// Luma-chroma frames become YUV420 in the frame's color space. RGB and BGR keep their format.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes, not of MJPEG; only read during the call.
  ///   - format: the format of the bytes.
  ///   - size: the size of the result.
  ///   - map: the map from the result to the frame, both in pixels from the top left corner.
  ///   - threadCount: the number of threads for the work; less than 1 counts as 1.
  /// - Throws: ``ImagingError``, code `malformedFrame`.
  /// - Complexity: O(pixels of the result); blocks the calling thread.
  init(
    of bytes: UnsafeRawBufferPointer, format: StreamFormat, size: FrameSize,
    through map: BoundedHomography, threadCount: Int
  ) throws(ImagingError) {
    try FrameLayout.check(byteCount: bytes.count, of: format)
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      throw ImagingError(.malformedFrame, subject: "frame", problem: "has no bytes")
    }
    self.init(
      size, pixelFormat: format.isRGB ? format.pixelFormat : .yuv420, colorSpace: format.colorSpace
    ) { target in
      let kinds = zip(SampleGrid.all(of: format), SampleGrid.all(of: target.format)).map {
        GridResampling(of: start, $0, to: target.start, $1, through: map)
      }
      let count = min(max(threadCount, 1), size.height)
      ParallelWork.perform(count) { index in
        for kind in kinds {
          let rows = kind.target.rows
          kind.run(index * rows / count..<(index + 1) * rows / count)
        }
      }
    }
  }
}

/// The bilinear resampling of one kind of sample.
private struct GridResampling {
  /// The first sample of the source, and of the target.
  private let input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
  private let source: SampleGrid
  let target: SampleGrid
  /// The map from the columns and rows of the target to the rectangle, and from there to those of
  /// the source.
  private let map: (first: Homography, second: Homography)
  private let bounds: (lowest: SIMD2<Double>, highest: SIMD2<Double>)

  init(
    of input: UnsafePointer<UInt8>, _ source: SampleGrid, to output: UnsafeMutablePointer<UInt8>,
    _ target: SampleGrid, through map: BoundedHomography
  ) {
    self.input = input + source.offset
    self.output = output + target.offset
    self.source = source
    self.target = target
    func pixels(_ grid: SampleGrid) -> SIMD2<Double> {
      SIMD2(Double(grid.across), Double(grid.down))
    }
    // A sample stands in the middle of the pixels that it covers.
    let toPixels = Homography(scale: pixels(target), offset: pixels(target) / 2)
    let toSamples = Homography(scale: 1 / pixels(source), offset: SIMD2(-0.5, -0.5))
    self.map = (map.first.after(toPixels), toSamples.after(map.second))
    bounds = map.bounds ?? (SIMD2(repeating: -.infinity), SIMD2(repeating: .infinity))
  }

  /// Makes some rows of the target; calls for other rows may run at the same time.
  func run(_ rows: Range<Int>) {
    let (right, bottom) = (Double(source.columns - 1), Double(source.rows - 1))
    let (x, y, divisor) = (map.second.x, map.second.y, map.second.divisor)
    for row in rows {
      let start = map.first(SIMD2(0, Double(row)))
      let step = map.first(SIMD2(1, Double(row))) - start
      let line = output + row * target.bytesPerRow
      for column in 0..<target.columns {
        let place = (start + step * Double(column)).clamped(
          lowerBound: bounds.lowest, upperBound: bounds.highest)
        let share = 1 / max(divisor.x * place.x + divisor.y * place.y + divisor.z, 1e-9)
        let seen =
          SIMD2(
            x.x * place.x + x.y * place.y + x.z, y.x * place.x + y.y * place.y + y.z) * share
        // Places are rounded to 1/256, so that an exact one takes no part of its neighbor.
        let across = Int(min(max(seen.x, 0), right) * 256 + 0.5)
        let down = Int(min(max(seen.y, 0), bottom) * 256 + 0.5)
        let (toRight, toBottom) = (across & 255, down & 255)
        let upper = input + ((down >> 8) * source.bytesPerRow + (across >> 8) * source.step)
        let lower = toBottom == 0 ? upper : upper + source.bytesPerRow
        let next = toRight == 0 ? 0 : source.step
        let above = Int(upper[0]) * (256 - toRight) + Int(upper[next]) * toRight
        let below = Int(lower[0]) * (256 - toRight) + Int(lower[next]) * toRight
        let sum = above * (256 - toBottom) + below * toBottom
        line[column * target.step] = UInt8(truncatingIfNeeded: (sum + 1 << 15) >> 16)
      }
    }
  }
}
