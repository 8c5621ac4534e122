import CJPEGStripes
import Devices
import Glibc

/// A compressor of a picture's stripes, each with its own encoder and on its own thread.
///
/// The encoders are kept from picture to picture. The threads share only memory that they read.
/// Each thread writes its own rows of scratch memory, encoder and result.
struct StripeCompressor: ~Copyable {
  private var encoders: [OpaquePointer] = []

  /// A picture to compress in stripes.
  struct Picture {
    /// The numbers of columns and rows.
    var size: FrameSize
    /// The layout of the samples in memory.
    var layout: cjpegstripes_layout
    /// The first sample and the bytes in a row of each plane, for three planes or one.
    var planes: [(start: UnsafePointer<UInt8>, bytesPerRow: Int)]
    /// The quality, 1...100.
    var quality: Int
    /// The preparation of some rows of chroma before they are read.
    var fill: (Range<Int>) -> Void

    /// The number of rows of pixels in an MCU.
    var rowsPerMCU: Int { layout == CJPEGSTRIPES_YCC_422 ? 8 : 16 }

    /// Returns the number of a plane's rows for a number of rows of pixels.
    func planeRows(_ rows: Int, plane: Int) -> Int {
      plane == 0 || layout == CJPEGSTRIPES_YCC_422 ? rows : (rows + 1) / 2
    }
  }

  /// The result of a stripe.
  private struct Outcome {
    var status: Int32 = 0
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  deinit {
    for encoder in encoders { cjpegstripes_free(encoder) }
  }

  /// Makes one JPEG image of a picture.
  ///
  /// - Parameter stripeCount: the number of threads, limited by the number of rows of MCUs.
  /// - Throws: ``ImagingError``: `outOfMemory`, `encoderFailed` or `malformedJPEG`.
  mutating func compress(
    _ picture: Picture, stripeCount: Int
  ) throws(ImagingError) -> [UInt8] {
    let plan = StripePlan(
      height: picture.size.height, rowsPerMCU: picture.rowsPerMCU, count: stripeCount)
    while encoders.count < plan.rows.count {
      guard let encoder = cjpegstripes_new() else {
        throw ImagingError(.outOfMemory, subject: "libjpeg", problem: "gives no compressor")
      }
      encoders.append(encoder)
    }
    let encoders = encoders
    var outcomes = [Outcome](repeating: Outcome(), count: plan.rows.count)
    outcomes.withUnsafeMutableBufferPointer { outcomes in
      ParallelWork.perform(plan.rows.count) { index in
        outcomes[index] = Self.compress(plan.rows[index], of: picture, with: encoders[index])
      }
    }
    for (index, outcome) in outcomes.enumerated() where outcome.status != 0 {
      throw ImagingError(
        outcome.status == -ENOMEM ? .outOfMemory : .encoderFailed,
        subject: "stripe \(index + 1) of \(outcomes.count) of a frame of \(picture.size)",
        problem: "could not be encoded",
        cause: String(cString: cjpegstripes_message(encoders[index])))
    }
    return try StripeJoiner.join(outcomes.map(\.bytes), height: picture.size.height)
  }

  private static func compress(
    _ rows: Range<Int>, of picture: Picture, with encoder: OpaquePointer
  ) -> Outcome {
    let chroma = picture.planeRows(rows.lowerBound, plane: 1)
    picture.fill(chroma..<picture.planeRows(rows.upperBound, plane: 1))
    func plane(_ index: Int) -> cjpegstripes_plane {
      guard picture.planes.indices.contains(index) else { return cjpegstripes_plane() }
      let (start, bytesPerRow) = picture.planes[index]
      let first = picture.planeRows(rows.lowerBound, plane: index)
      return cjpegstripes_plane(start: start + first * bytesPerRow, bytes_per_row: bytesPerRow)
    }
    var stripe = cjpegstripes_stripe(
      layout: picture.layout, width: UInt32(picture.size.width), height: UInt32(rows.count),
      quality: Int32(picture.quality), planes: (plane(0), plane(1), plane(2)))
    var outcome = Outcome()
    var start: UnsafePointer<UInt8>?
    var count = 0
    outcome.status = cjpegstripes_encode(encoder, &stripe, &start, &count)
    outcome.bytes = UnsafeRawBufferPointer(start: start, count: count)
    return outcome
  }
}
