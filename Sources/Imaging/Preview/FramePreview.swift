public import Devices

/// What somebody who aims and focuses has to know of a frame: how it looks in small, and how sharp
/// and how well exposed it is.
public struct FramePreview: Sendable, Hashable {
  /// The most columns, and the most rows, of the small picture.
  public static let largestSide = 320
  /// The most rows of the frame that are looked at for one of the picture.
  private static let maximumRows = 8

  /// The frame in small, upright.
  public let picture: GreyPicture
  /// How sharp the middle is, 0...1: Brenner's gradient in half the width and height of the frame, at most
  /// 1024 samples each way, at its full resolution, against the energy of the samples.
  ///
  /// It can be compared with that of other frames of the same scene, whatever the exposure.
  public let focus: Double
  /// The share of samples that are white, 254 of 255 or more, 0...1.
  public let clippedHighlights: Double
  /// The share of samples that are black, 1 of 255 or less, 0...1.
  public let clippedShadows: Double

  /// Looks at a frame.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: what the bytes are.
  ///   - clockwiseRotation: the angle by which the frame has to be turned to be upright: 0, 90,
  ///     180 or 270; others count as 0.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels); blocks the calling thread for some milliseconds.
  public static func compute(
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
      let rows = GreyPicture.span(row, of: size.height, in: plane.size.height)
      reduction.reduce(rows, step: max(1, rows.count / Self.maximumRows))
    }
    picture = GreyPicture(size: size, luma: reduction.luma).turned(clockwise: clockwiseRotation)
    clippedHighlights = Double(reduction.white) / Double(max(1, reduction.count))
    clippedShadows = Double(reduction.black) / Double(max(1, reduction.count))
    let window = FocusMeasure.window(of: plane.size)
    focus = FocusMeasure.figure(of: plane, columns: window.columns, rows: window.rows)
  }

  /// The mean of the frame's samples for each of the picture's, row by row.
  private struct Reduction {
    let plane: LumaPlane
    let columns: [Range<Int>]
    /// What each sample stands for, from 0 to 255.
    let levels: [UInt8]
    var luma: [UInt8] = []
    var (count, white, black) = (0, 0, 0)

    init(_ plane: LumaPlane, _ size: FrameSize) {
      self.plane = plane
      columns = (0..<size.width).map {
        GreyPicture.span($0, of: size.width, in: plane.size.width)
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
