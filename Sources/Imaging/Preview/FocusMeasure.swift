import Devices

/// The sharpness of a picture as one figure.
///
/// The figure is Brenner's gradient (J. F. Brenner et al., "An automated microscope for cytologic
/// research", J. Histochem. Cytochem. 24, 1976): the squared differences of samples two apart, here
/// along rows and along columns. Their sum is divided by the sum of the squares of the same
/// samples, and the root is taken. Because (a − b)² ≤ a² + b² for non-negative values, the figure
/// is within 0...1. The value is 0 where nothing changes, and 1 where black is two samples from
/// white everywhere. A page of text in focus has 0.1 to 0.4. A longer exposure or a higher gain
/// multiplies all samples by the same factor and does not change the figure. So figures of one
/// scene can be compared, and figures of two scenes cannot. Noise counts as a little sharpness.
enum FocusMeasure {
  /// The maximum number of columns and of rows that are read.
  static let largestSide = 1024

  /// Returns the measured part in the middle of a frame: half the width and height, every sample.
  static func window(of size: FrameSize) -> (columns: Range<Int>, rows: Range<Int>) {
    func middle(_ length: Int) -> Range<Int> {
      let count = min(max(length / 2, min(length, 3)), largestSide)
      let first = (length - count) / 2
      return first..<(first + count)
    }
    return (middle(size.width), middle(size.height))
  }

  /// Computes the figure of a window, 0...1; 0 for a black or a too small window.
  static func figure(
    of plane: LumaPlane, columns: Range<Int>, rows: Range<Int>
  ) -> Double {
    var gradient = 0
    var energy = 0
    func add(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, count: Int) {
      let black = Int32(plane.range.lowerBound)
      let step = plane.step
      // The sums are at most 2 × 255² × 1024, which fits.
      var (rowGradient, rowEnergy): (UInt32, UInt32) = (0, 0)
      for index in 0..<count {
        let one = max(Int32(first[index &* step]) &- black, 0)
        let other = max(Int32(second[index &* step]) &- black, 0)
        let difference = one &- other
        rowGradient &+= UInt32(bitPattern: difference &* difference)
        rowEnergy &+= UInt32(bitPattern: one &* one &+ other &* other)
      }
      gradient += Int(rowGradient)
      energy += Int(rowEnergy)
    }
    for row in rows {
      let samples = plane.start + row * plane.bytesPerRow + columns.lowerBound * plane.step
      if columns.count > 2 { add(samples, samples + 2 * plane.step, count: columns.count - 2) }
      if row + 2 < rows.upperBound {
        add(samples, samples + 2 * plane.bytesPerRow, count: columns.count)
      }
    }
    return energy > 0 ? (Double(gradient) / Double(energy)).squareRoot() : 0
  }
}
