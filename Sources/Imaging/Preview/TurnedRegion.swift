package import Devices

/// A kind of sample in memory: luma, a chroma or a color.
struct PlaneView {
  /// The first sample.
  let start: UnsafePointer<UInt8>
  /// The bytes from one row to the next, and from one sample to the next in a row.
  let bytesPerRow: Int, step: Int
  /// The numbers of the picture's columns and rows for one column and row of the plane.
  let across: Int, down: Int
}

/// A part of a frame as it is shown: turned by a quarter or more, pixel for pixel.
package struct TurnedRegion: Sendable, Hashable {
  /// The size of the frame, before the turn.
  let frame: FrameSize
  /// The clockwise turn: 0, 90, 180 or 270 degrees; other angles count as 0.
  let angle: Int
  /// The first column and row of the part in the turned frame, even numbers.
  let column: Int, row: Int
  /// The size of the part, after the turn.
  package let size: FrameSize

  /// Makes the part about a center, as far inside the frame as it has to be.
  ///
  /// - Parameters:
  ///   - frame: the size of the frame, before the turn.
  ///   - angle: the clockwise turn that the frame needs.
  ///   - x: the center in thousandths of the turned frame's width.
  ///   - y: the center in thousandths of the turned frame's height.
  ///   - size: the wanted size; the part is no larger than the turned frame.
  package init(of frame: FrameSize, turned angle: Int, x: Int, y: Int, size: FrameSize) {
    let isAcross = angle == 90 || angle == 270
    let turned = isAcross ? FrameSize(width: frame.height, height: frame.width) : frame
    func first(_ place: Int, _ count: Int, _ length: Int) -> Int {
      min(max(place * length / 1000 - count / 2, 0), length - count) / 2 * 2
    }
    let width = min(max(size.width, 1), turned.width)
    let height = min(max(size.height, 1), turned.height)
    self.frame = frame
    self.angle = angle
    self.size = FrameSize(width: width, height: height)
    column = first(x, width, turned.width)
    row = first(y, height, turned.height)
  }

  /// Copies the samples of a plane, with one for some columns and rows of the part.
  ///
  /// - Parameters:
  ///   - pace: the number of the part's columns, and of its rows, for one sample of the target.
  ///   - target: the memory for the samples, and the bytes between rows and samples.
  func copy(
    _ plane: PlaneView, pace: Int,
    to target: (start: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, step: Int)
  ) {
    for targetRow in 0..<(size.height + pace - 1) / pace {
      for targetColumn in 0..<(size.width + pace - 1) / pace {
        let from = place(column + targetColumn * pace, row + targetRow * pace)
        let sample =
          from.row / plane.down * plane.bytesPerRow + from.column / plane.across * plane.step
        target.start[targetRow * target.bytesPerRow + targetColumn * target.step] =
          plane.start[sample]
      }
    }
  }

  /// Returns the place in the frame of a place in the turned frame.
  private func place(_ x: Int, _ y: Int) -> (column: Int, row: Int) {
    switch angle {
    case 90: (y, frame.height - 1 - x)
    case 180: (frame.width - 1 - x, frame.height - 1 - y)
    case 270: (frame.width - 1 - y, x)
    default: (x, y)
    }
  }
}
