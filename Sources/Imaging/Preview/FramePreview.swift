package import Devices

/// A preview of a frame for aiming and focusing: a small picture, its sharpness and its exposure.
package struct FramePreview: Sendable, Hashable {
  /// The maximum number of columns and of rows of the small picture.
  package static let largestSide = 320
  /// The maximum number of rows of the frame that are read for one row of the picture.
  private static let maximumRows = 8

  /// The frame as a small upright picture.
  package let picture: GrayPicture
  /// The sharpness of the frame's middle, 0...1; see ``FocusMeasure``.
  ///
  /// The figure is Brenner's gradient against the energy of the samples. The middle is half the
  /// width and height of the frame, at most 1024 samples each way, at full resolution. The figure
  /// can be compared with other frames of the same scene, whatever the exposure is.
  package let focus: Double
  /// The share of white samples, 254 of 255 or more, 0...1.
  package let clippedHighlights: Double
  /// The share of black samples, 1 of 255 or less, 0...1.
  package let clippedShadows: Double

  /// Makes the preview of a frame.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - clockwiseRotation: the angle that turns the frame upright: 0, 90, 180 or 270; other angles
  ///     count as 0.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels); blocks the calling thread for some milliseconds.
  package static func compute(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, clockwiseRotation: Int
  ) throws(ImagingError) -> FramePreview {
    try LumaPlane.with(bytes, format) { plane in
      FramePreview(plane, clockwiseRotation: clockwiseRotation)
    }
  }

  init(_ plane: LumaPlane, clockwiseRotation: Int) {
    let longest = max(plane.size.width, plane.size.height)
    let side = min(longest, Self.largestSide)
    let size = FrameSize(
      width: max(1, plane.size.width * side / longest),
      height: max(1, plane.size.height * side / longest))
    var reduction = Reduction(plane, size)
    for row in 0..<size.height {
      let rows = GrayPicture.span(row, of: size.height, in: plane.size.height)
      reduction.reduce(rows, step: max(1, rows.count / Self.maximumRows))
    }
    picture = GrayPicture(size: size, luma: reduction.luma).turned(clockwise: clockwiseRotation)
    clippedHighlights = Double(reduction.white) / Double(max(1, reduction.count))
    clippedShadows = Double(reduction.black) / Double(max(1, reduction.count))
    let window = FocusMeasure.window(of: plane.size)
    focus = FocusMeasure.figure(of: plane, columns: window.columns, rows: window.rows)
  }

  /// The means of the frame's samples for each sample of the picture, row by row.
  private struct Reduction {
    let plane: LumaPlane
    let columns: [Range<Int>]
    /// The level of each sample value, from 0 to 255.
    let levels: [UInt8]
    var luma: [UInt8] = []
    var (count, white, black) = (0, 0, 0)

    init(_ plane: LumaPlane, _ size: FrameSize) {
      self.plane = plane
      columns = (0..<size.width).map {
        GrayPicture.span($0, of: size.width, in: plane.size.width)
      }
      let (black, white) = (plane.range.lowerBound, plane.range.upperBound)
      levels = (0...255).map { sample in
        UInt8(min(max((sample - black) * 255 / (white - black), 0), 255))
      }
    }

    mutating func reduce(_ rows: Range<Int>, step: Int) {
      var sums = [Int](repeating: 0, count: columns.count)
      var rowCount = 0
      var (white, black) = (0, 0)
      levels.withUnsafeBufferPointer { levels in
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
          rowCount += 1
          let samples = plane.start + row * plane.bytesPerRow
          for index in columns.indices {
            var sum = 0
            for column in columns[index] {
              let level = levels[Int(samples[column &* plane.step])]
              sum &+= Int(level)
              if level >= 254 { white &+= 1 } else if level <= 1 { black &+= 1 }
            }
            sums[index] += sum
          }
        }
      }
      for index in columns.indices {
        let samples = columns[index].count * rowCount
        luma.append(UInt8(truncatingIfNeeded: (sums[index] + samples / 2) / samples))
      }
      self.white += white
      self.black += black
      count += plane.size.width * rowCount
    }
  }
}
