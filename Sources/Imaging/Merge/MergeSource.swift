package import Devices

/// A frame to merge.
struct MergeSource {
  /// The first byte, valid during the merge only.
  let start: UnsafePointer<UInt8>
  /// The place in this frame of what the first frame shows.
  var shift = FrameShift.zero

  /// The maximum number of frames, which the sums of ``WeightedMerge`` can hold.
  static let largestCount = 16

  /// Makes sources of frames of one format.
  ///
  /// - Throws: ``ImagingError``: `malformedFrame`, or `unsupported` for MJPEG, which has to be
  ///   decoded before, and for a number of frames other than 1...``largestCount``.
  static func all(
    _ frames: [UnsafeRawBufferPointer], _ format: StreamFormat
  ) throws(ImagingError) -> [MergeSource] {
    let subject = frames.count.counted("\(format.pixelFormat.rawValue) frame")
    guard format.pixelFormat != .mjpeg, (1...largestCount).contains(frames.count) else {
      throw ImagingError(
        .unsupported, subject: subject, problem: "cannot be merged",
        cause: "1 to \(largestCount) frames of samples are merged, and no compressed ones")
    }
    var sources: [MergeSource] = []
    for bytes in frames {
      try FrameLayout.check(byteCount: bytes.count, of: format)
      guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        throw ImagingError(.malformedFrame, subject: subject, problem: "has no bytes")
      }
      sources.append(MergeSource(start: start))
    }
    return sources
  }

  /// Copies the row that shows the same as a row of the first frame.
  ///
  /// Beyond the frame its border is repeated. An odd shift is half a sample off in halved chroma.
  func read(_ row: Int, of samples: SampleGrid, to target: UnsafeMutablePointer<UInt8>) {
    let last = samples.columns - 1
    let right = min(max(shift.columns >> (samples.across - 1), -last), last)
    let line = min(max(row + shift.rows >> (samples.down - 1), 0), samples.rows - 1)
    let (first, end) = (max(0, -right), min(samples.columns, samples.columns - right))
    let source = start + (samples.offset + line * samples.bytesPerRow)
    // A constant step lets the compiler make vector code of the common cases.
    switch samples.step {
    case 1: (target + first).update(from: source + (first + right), count: end - first)
    case 2: for column in first..<end { target[column] = source[2 &* (column &+ right)] }
    case let step: for column in first..<end { target[column] = source[step &* (column &+ right)] }
    }
    for column in 0..<first { target[column] = target[first] }
    for column in end..<samples.columns { target[column] = target[end - 1] }
  }
}

/// A frame that was made of several frames, in their format.
package struct MergedFrame: Sendable {
  /// The format of the bytes.
  package let format: StreamFormat
  /// The samples.
  package let bytes: [UInt8]
  /// The mean number of frames that a part of the picture was made of, at least 1.
  package let meanFrameCount: Double
  /// The number of frames that any part of the picture was made of, at least 1.
  package let usedFrameCount: Int
}
