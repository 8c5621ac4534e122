import CTIFF
package import Devices
import Glibc

/// An encoder of raw frames as DNG 1.4, without loss and without compression.
///
/// IFD0 has the thumbnail and the description of the camera, and a SubIFD the mosaic. Samples of
/// 10, 12 and 14 bits are packed: 12 megapixels of 12 bits make 18.5 MB.
package enum DNGEncoder {
  /// The rows of a strip; a strip is all that is packed in memory beside the file.
  private static let rowsPerStrip = 64

  /// Makes a DNG file of a raw frame.
  ///
  /// - Parameters:
  ///   - frame: the samples.
  ///   - properties: the numbers that turn the samples into colors.
  ///   - exif: the picture's metadata, the same as those of its JPEG image.
  ///   - digitalGain: the gain of the processed picture beyond the samples (`BaselineExposure`).
  ///   - thumbnail: a small JPEG image of the processed picture, with up to 256 columns and rows.
  ///   - xmp: an XMP packet, from ``XMPMetadata/packet(for:size:)``; empty for none.
  /// - Throws: ``ImagingError``: `unsupported`, `malformedFrame`, `malformedJPEG`, `outOfMemory` or
  ///   `encoderFailed`.
  /// - Complexity: O(pixels); blocks the calling thread.
  package static func encode(
    _ frame: RawUnpacking, properties: RawProperties, exif: EXIFMetadata, digitalGain: Double = 1,
    thumbnail: [UInt8], xmp: [UInt8] = []
  ) throws(ImagingError) -> [UInt8] {
    try check(properties, digitalGain: digitalGain)
    let entries = try exif.captureEntries()
    let picture = try RGBPicture(jpeg: thumbnail)
    let sampleBytes = frame.size.area * frame.format.bitDepth / 8
    let file = try TIFFFile(
      expectedByteCount: sampleBytes + picture.bytes.count + xmp.count + 8192)
    try file.writeEXIF(entries.filter { $0.directory == .exif })

    try file.setImage(
      picture.size, bits: 8, samplesPerPixel: 3, photometric: PHOTOMETRIC_RGB,
      rowsPerStrip: picture.size.height, isReduced: true)
    for entry in entries where entry.directory == .image {
      try file.set(Int32(entry.tag), entry.value)
    }
    if !xmp.isEmpty { try file.set(TIFFTAG_XMLPACKET, .bytes(xmp)) }
    try file.set(TIFFTAG_DNGVERSION, .bytes([1, 4, 0, 0]))
    try file.set(TIFFTAG_DNGBACKWARDVERSION, .bytes([1, 1, 0, 0]))
    try file.set(TIFFTAG_UNIQUECAMERAMODEL, .text("\(exif.make) \(exif.model)"))
    try file.set(TIFFTAG_BASELINEEXPOSURE, real: log2(digitalGain))
    if frame.format.mosaic.pattern != nil {
      try file.set(TIFFTAG_COLORMATRIX1, reals: properties.colorMatrix)
      try file.set(TIFFTAG_ASSHOTNEUTRAL, reals: properties.neutral)
      // The value 21 is D65 (Exif 2.32, LightSource).
      try file.set(TIFFTAG_CALIBRATIONILLUMINANT1, .short(21))
    }
    // libtiff puts the offset of the next directory here.
    try file.set(TIFFTAG_SUBIFD, values: [UInt64(0)])
    try file.writeStrip(0, picture.bytes)
    try file.finishDirectory()

    try writeMosaic(frame, properties: properties, to: file)
    return file.close()
  }

  private static func writeMosaic(
    _ frame: RawUnpacking, properties: RawProperties, to file: TIFFFile
  ) throws(ImagingError) {
    let shift = frame.format.packing == .pispCompressed ? PiSPCompression.emptyBits : 0
    let scale = Double(1 << shift)
    let packing = StripPacking(bits: frame.format.bitDepth - shift, width: frame.size.width)
    try file.setImage(
      frame.size, bits: packing.bits, samplesPerPixel: 1,
      photometric: frame.format.mosaic.pattern == nil ? linearRaw : PHOTOMETRIC_CFA,
      rowsPerStrip: rowsPerStrip, isReduced: false)
    if let pattern = frame.format.mosaic.pattern {
      try file.set(TIFFTAG_CFAREPEATPATTERNDIM, values: [2, 2] as [UInt16])
      try file.set(TIFFTAG_CFAPATTERN, .bytes(pattern))
    }
    try file.set(TIFFTAG_BLACKLEVELREPEATDIM, values: [2, 2] as [UInt16])
    try file.set(TIFFTAG_BLACKLEVEL, reals: properties.blackLevels.map { $0 / scale })
    try file.set(TIFFTAG_WHITELEVEL, values: [UInt32(properties.whiteLevel / scale)])
    for first in stride(from: 0, to: frame.size.height, by: rowsPerStrip) {
      let count = min(rowsPerStrip, frame.size.height - first)
      var strip = [UInt8](repeating: 0, count: count * packing.bytesPerRow)
      for row in 0..<count {
        packing.pack(try frame.row(first + row), shift: shift, into: &strip, row: row)
      }
      try file.writeStrip(first / rowsPerStrip, strip)
    }
    try file.finishDirectory()
  }

  /// The photometric interpretation of a sensor without filters (DNG 1.4, LinearRaw).
  private static let linearRaw: Int32 = 34892

  private static func check(
    _ properties: RawProperties, digitalGain: Double
  ) throws(ImagingError) {
    guard properties.blackLevels.count == 4, properties.neutral.count == 3,
      properties.colorMatrix.count == 9, properties.colorMatrix.allSatisfy(\.isFinite),
      (1...65535).contains(properties.whiteLevel),
      properties.blackLevels.allSatisfy({ $0 >= 0 && $0 < properties.whiteLevel }),
      properties.neutral.allSatisfy({ $0.isFinite && $0 > 0 }), digitalGain.isFinite,
      digitalGain > 0
    else {
      throw ImagingError(
        .unsupported, subject: "raw frame", problem: "has impossible properties",
        cause: "\(properties), digital gain \(digitalGain)")
    }
  }
}

extension RawFormat.Mosaic {
  /// The colors of the tile by DNG's numbers, red 0, green 1, blue 2; `nil` without filters.
  fileprivate var pattern: [UInt8]? {
    switch self {
    case .rggb: [0, 1, 1, 2]
    case .bggr: [2, 1, 1, 0]
    case .grbg: [1, 0, 2, 1]
    case .gbrg: [1, 2, 0, 1]
    case .monochrome: nil
    }
  }
}
