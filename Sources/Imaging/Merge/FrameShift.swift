/// The distance in whole pixels between the places of the same thing in two frames.
package struct FrameShift: Sendable, Hashable {
  /// The number of columns to the right, negative for the left.
  package let columns: Int
  /// The number of rows downward, negative for upward.
  package let rows: Int

  /// No distance.
  package static let zero = FrameShift(columns: 0, rows: 0)
}

/// The search for a frame's shift, which compares the means of its columns and rows.
///
/// The means hardly have noise. Their changes from one to the next are compared, because lamps and
/// lenses only make slow ones. Each direction takes the shift with the least sum of absolute
/// differences, if noise does not explain its lead over all but its neighbors. So plain paper has
/// no shift, nor has a regular pattern. A thing that moves in part of the picture makes the sums
/// larger, and the necessary lead with them.
extension FrameShift {
  /// The largest shift that is found, in pixels each way.
  static let reach = 16
  /// The minimum lead of a shift, in standard deviations of its sum.
  private static let leastLead: Float = 5

  /// Finds the shift of a frame; the result depends only on the arguments.
  ///
  /// The result is `nil` when the frames do not show their shift, or have under 49 columns or rows.
  init?(_ frame: FrameProfile, against reference: FrameProfile) {
    guard let across = Self.search(frame.columns, reference.columns),
      let down = Self.search(frame.rows, reference.rows)
    else { return nil }
    self.init(columns: across, rows: down)
  }

  /// Returns the shift between two profiles; `nil` when it is not certain.
  private static func search(_ frame: [Float], _ other: [Float]) -> Int? {
    let inner = reach..<max(other.count - reach, reach)
    guard inner.count >= reach else { return nil }
    let sums = (-reach...reach).map { shift in
      inner.reduce(into: Float(0)) { sum, index in sum += abs(frame[index + shift] - other[index]) }
    }
    guard let best = sums.indices.min(by: { sums[$0] < sums[$1] }),
      let second = sums.indices.filter({ abs($0 - best) > 1 }).map({ sums[$0] }).min()
    else { return nil }
    // The deviation of a normal variable's absolute value is 0.756 of its mean.
    let deviation = 0.756 * max(sums[best], 0.001) / Float(inner.count).squareRoot()
    let lead = (second - sums[best]) / deviation
    guard lead > leastLead else { return nil }
    return best - reach
  }
}

/// The changes between the means of neighboring columns and rows of a frame.
struct FrameProfile {
  let columns: [Float], rows: [Float]

  init(_ source: MergeSource, _ samples: SampleGrid) {
    let count = samples.columns
    var line = [UInt8](repeating: 0, count: count)
    var sums = [UInt32](repeating: 0, count: count)
    var means: [Float] = []
    line.withUnsafeMutableBufferPointer { line in
      sums.withUnsafeMutableBufferPointer { sums in
        guard let line = line.baseAddress, let sums = sums.baseAddress else { return }
        for row in 0..<samples.rows {
          source.read(row, of: samples, to: line)
          var total: UInt32 = 0
          for column in 0..<count {
            sums[column] &+= UInt32(line[column])
            total &+= UInt32(line[column])
          }
          means.append(Float(total) / Float(count))
        }
      }
    }
    columns = Self.changes(sums.map { Float($0) / Float(samples.rows) })
    rows = Self.changes(means)
  }

  private static func changes(_ means: [Float]) -> [Float] {
    zip(means.dropFirst(), means).map { $0 - $1 }
  }
}
