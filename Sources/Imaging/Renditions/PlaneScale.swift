/// The area average of one plane, for all channels at once.
///
/// The rows that a target row covers are added up in the order of memory, so the source is read
/// once and in order. Then the columns are added up, channel by channel.
struct PlaneScale {
  /// A kind of sample in the plane.
  struct Channel {
    /// The offset of the first sample in a row of the source, and the bytes between samples.
    var offset: Int, step: Int
    /// The weights of the source's columns for the target's columns.
    var columns: AreaWeights
    /// The first sample of the target, the bytes between samples, and the bytes between rows.
    var target: UnsafeMutablePointer<UInt8>, targetStep: Int, targetBytesPerRow: Int
  }

  /// The first byte of the source.
  let source: UnsafePointer<UInt8>
  /// The number of bytes between rows, and the number of bytes that are samples.
  let bytesPerRow: Int, usedBytesPerRow: Int
  /// The weights of the source's rows for the target's rows.
  let rows: AreaWeights
  /// The kinds of samples in the plane.
  let channels: [Channel]

  /// Makes some rows of the target; calls for other rows may run at the same time.
  func run(_ targetRows: Range<Int>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: usedBytesPerRow) { sums in
      guard let sums = sums.baseAddress else { return }
      let areColors = areColors
      for row in targetRows {
        addRows(rows.spans[row], to: sums)
        if areColors {
          writeColors(row: row, from: sums)
        } else {
          for channel in channels { write(channel, row: row, from: sums) }
        }
      }
    }
  }

  /// Whether the channels are the colors of each pixel, whose columns have the same weights.
  private var areColors: Bool {
    channels.map(\.offset) == [0, 1, 2]
      && channels.allSatisfy { $0.step == 3 && $0.targetStep == 3 }
  }

  private func addRows(_ span: AreaWeights.Span, to sums: UnsafeMutablePointer<UInt32>) {
    for index in 0..<span.count {
      let weight = rows.values[span.firstWeight + index]
      let samples = source + (span.first + index) * bytesPerRow
      // The sums are at most 255 << 12, and the loops become vector code.
      if index == 0 {
        for byte in 0..<usedBytesPerRow { sums[byte] = weight &* UInt32(samples[byte]) }
      } else {
        for byte in 0..<usedBytesPerRow { sums[byte] &+= weight &* UInt32(samples[byte]) }
      }
    }
  }

  /// Writes three colors in one pass over the weights.
  private func writeColors(row: Int, from sums: UnsafeMutablePointer<UInt32>) {
    let targets = channels.map { $0.target + row * $0.targetBytesPerRow }
    let shift = 2 * UInt32(AreaWeights.bits)
    let half: UInt32 = 1 << (shift - 1)
    channels[0].columns.values.withUnsafeBufferPointer { weights in
      channels[0].columns.spans.withUnsafeBufferPointer { spans in
        for column in spans.indices {
          let span = spans[column]
          var samples = sums + 3 * span.first
          var (one, two, three) = (half, half, half)
          for index in span.firstWeight..<span.firstWeight + span.count {
            let weight = weights[index]
            one &+= weight &* samples[0]
            two &+= weight &* samples[1]
            three &+= weight &* samples[2]
            samples += 3
          }
          targets[0][3 * column] = UInt8(truncatingIfNeeded: one >> shift)
          targets[1][3 * column] = UInt8(truncatingIfNeeded: two >> shift)
          targets[2][3 * column] = UInt8(truncatingIfNeeded: three >> shift)
        }
      }
    }
  }

  private func write(_ channel: Channel, row: Int, from sums: UnsafeMutablePointer<UInt32>) {
    let target = channel.target + row * channel.targetBytesPerRow
    let step = channel.step
    channel.columns.values.withUnsafeBufferPointer { weights in
      channel.columns.spans.withUnsafeBufferPointer { spans in
        for column in spans.indices {
          let span = spans[column]
          let first = sums + (channel.offset + span.first * step)
          // The sum is at most 255 << 24 and half a level for rounding: just below 2 to the 32.
          var sum: UInt32 = 1 << (2 * UInt32(AreaWeights.bits) - 1)
          for index in 0..<span.count {
            sum &+= weights[span.firstWeight + index] &* first[index * step]
          }
          target[column * channel.targetStep] = UInt8(
            truncatingIfNeeded: sum >> (2 * UInt32(AreaWeights.bits)))
        }
      }
    }
  }
}
