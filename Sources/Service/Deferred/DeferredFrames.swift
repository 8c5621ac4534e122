import Devices
import Foundation
import Imaging
import Spool

/// The frames of a proxy as its source holds them, with all that the final picture needs.
///
/// A source begins with this description as JSON, padded to ``headerBytes`` with spaces. The bytes
/// of the frames follow as the camera laid them out, first those of the press's frame.
struct DeferredFrames: Codable {
  /// The length of the description in a source.
  static let headerBytes = 4096

  /// The metadata of the proxy.
  let exif: EXIFMetadata
  /// The format of all frames.
  let format: StreamFormat
  /// The lengths of the frames.
  let byteCounts: [Int]

  /// Returns the length of the source of frames.
  static func byteCount(of frames: [FrameLease]) -> Int64 {
    frames.reduce(Int64(headerBytes)) { $0 + Int64($1.buffer.byteCount) }
  }

  /// Makes the description that begins a source.
  ///
  /// - Throws: `EncodingError`; ``SpoolError`` for a description that is too long.
  static func header(of frames: [FrameLease], exif: EXIFMetadata) throws -> [UInt8] {
    guard let format = frames.first?.format else { throw unfit("has no frames") }
    let description = DeferredFrames(
      exif: exif, format: format, byteCounts: frames.map(\.buffer.byteCount))
    let header = Array(try JSONEncoder().encode(description))
    guard header.count <= headerBytes else { throw unfit("has too long a description") }
    return header + [UInt8](repeating: UInt8(ascii: " "), count: headerBytes - header.count)
  }

  private static func unfit(_ problem: String) -> SpoolError {
    SpoolError(.invalid, "source", problem)
  }
}

extension DeferredFrames {
  /// Averages the frames in a source and encodes the picture; blocks the thread for seconds.
  ///
  /// - Returns: the bytes of the file, and the metadata of the item, made of the proxy's.
  /// - Throws: `DecodingError`, ``SpoolError`` or ``ImagingError``.
  static func finalPicture(
    of source: [UInt8], proxy: ItemMetadata, settings: [RenditionSettings], encoder: PhotoEncoder,
    threadCount: Int
  ) throws -> (bytes: [UInt8], metadata: ItemMetadata) {
    let frames = try JSONDecoder().decode(
      DeferredFrames.self, from: Data(source.prefix(headerBytes)))
    let counts = frames.byteCounts
    guard counts.allSatisfy({ $0 > 0 }), counts.reduce(headerBytes, +) == source.count
    else { throw unfit("has another length than its frames") }
    let merged = try source.withUnsafeBytes { bytes in
      var rest = UnsafeRawBufferPointer(rebasing: bytes[headerBytes...])
      let pieces = counts.map { count in
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
      }
      return try FrameAveraging.average(pieces, format: frames.format, threadCount: threadCount)
    }
    var exif = frames.exif
    exif.compositeImage = EXIFCompositeImage(
      sourceCount: counts.count, usedCount: merged.usedFrameCount)
    let xmp = XMPMetadata(orientationSource: proxy.orientationSource, page: proxy.page)
    let pictures = try merged.bytes.withUnsafeBytes { [exif] bytes in
      try encoder.encode(
        bytes: bytes, format: frames.format, exif: exif, renditions: settings,
        stripeCount: threadCount, xmp: { _ in xmp })
    }
    guard let picture = pictures.first else { throw unfit("gives no picture") }
    let isAverage = merged.usedFrameCount > 1
    var metadata = proxy
    metadata.averagedFrames = isAverage ? merged.meanFrameCount : nil
    metadata.singleFrame = isAverage ? nil : .unlike
    metadata.jpegQuality = picture.quality
    metadata.prioritization = .quality
    return (picture.bytes, metadata)
  }
}
