package import Devices

/// The raw frames of a camera.
package struct RawReport: Sendable, Hashable, Codable {
  /// The bits of a sample.
  package let bits: Int
  /// The colors of the mosaic.
  package let mosaic: Word<RawFormat.Mosaic>
  /// The placement of the samples in bytes.
  package let packing: Word<RawFormat.Packing>
  /// The size of the raw frames beside the pictures; `nil` while a press gets none.
  package let size: SizeReport?

  /// Makes the report of a camera's raw frames.
  ///
  /// - Parameters:
  ///   - format: the form of the largest mode's samples; `nil` for a camera without raw frames.
  ///   - stream: the layout of the running stream's raw frames; `nil` without them.
  package init?(_ format: RawFormat?, _ stream: RawStreamFormat?) {
    guard let format = stream?.format ?? format else { return nil }
    bits = format.bitDepth
    mosaic = Word(format.mosaic)
    packing = Word(format.packing)
    size = stream.map { SizeReport(width: $0.size.width, height: $0.size.height) }
  }

  /// The report in words.
  package var text: String {
    let form = "\(bits.counted("bit")), \(mosaic), \(packing)"
    guard let size else { return "\(form); not streamed, see camera.raw" }
    return "\(form), \(size.width)x\(size.height)"
  }
}
