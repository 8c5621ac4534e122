import Devices

/// The samples of one kind in a frame: luma, a difference of color, or a color.
struct SampleGrid {
  /// The offset of the first sample in the frame.
  let offset: Int
  /// The bytes from one sample to the next in a row, and from one row to the next.
  let step: Int, bytesPerRow: Int
  /// The numbers of columns and rows of samples.
  let columns: Int, rows: Int
  /// The numbers of the picture's columns and rows for a sample, 1 or 2.
  var across = 1, down = 1

  /// Whether the samples are differences of color, of which 128 is none.
  var isChroma: Bool { across == 2 }

  /// Returns the grids of a format: Y, Cb and Cr, or the three colors; none for MJPEG.
  static func all(of format: StreamFormat) -> [SampleGrid] {
    let (size, planes) = (format.size, format.planes)
    func full(step: Int, offset: Int = 0) -> SampleGrid {
      SampleGrid(
        offset: offset, step: step, bytesPerRow: format.bytesPerRow, columns: size.width,
        rows: size.height)
    }
    func chroma(_ plane: StreamFormat.Plane, offset: Int, step: Int, down: Int) -> SampleGrid {
      SampleGrid(
        offset: plane.offset + offset, step: step, bytesPerRow: plane.bytesPerRow,
        columns: (size.width + 1) / 2, rows: plane.rows, across: 2, down: down)
    }
    switch format.pixelFormat {
    case .yuv420:
      return [full(step: 1)] + planes[1...].map { chroma($0, offset: 0, step: 1, down: 2) }
    case .nv12:
      return [full(step: 1)] + [0, 1].map { chroma(planes[1], offset: $0, step: 2, down: 2) }
    case .yuyv:
      return [full(step: 2)] + [1, 3].map { chroma(planes[0], offset: $0, step: 4, down: 1) }
    case .rgb, .bgr: return (0..<3).map { full(step: 3, offset: $0) }
    case .mjpeg: return []
    }
  }

  /// Returns the grid that stands for brightness: luma, or green, which has most of the luma.
  static func brightness(of format: StreamFormat) -> SampleGrid {
    all(of: format)[format.isRGB ? 1 : 0]
  }
}

extension StreamFormat {
  /// Whether a sample is a color.
  var isRGB: Bool { pixelFormat == .rgb || pixelFormat == .bgr }

  /// The samples of luma or of colors that stand for black and for white.
  var brightnessRange: ClosedRange<Int> {
    // An unspecified color space of luma and chroma counts as limited, as in pictures.
    isRGB || colorSpace == .jpeg ? 0...255 : 16...235
  }
}
