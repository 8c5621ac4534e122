package import Devices

extension Rendition {
  /// The raw frame as a DNG file.
  package static let dng = Rendition(name: "dng", box: nil)
}

extension EncodedPicture {
  /// Makes the DNG file of a frame with a preview of the processed frame.
  ///
  /// - Parameters:
  ///   - frame: a lease with a raw frame.
  ///   - exif: the photo's metadata, whose resolution is that of the processed frame.
  ///   - xmp: the metadata about the page; `nil` for none.
  ///   - encoder: the encoder of the preview.
  /// - Throws: ``ImagingError`` as ``DNGEncoder`` and ``PhotoEncoder`` do, or `DeviceError` when
  ///   the frame cannot be read.
  /// - Complexity: O(pixels); blocks the calling thread.
  package static func dng(
    of frame: FrameLease, exif: EXIFMetadata, xmp: XMPMetadata? = nil, encoder: PhotoEncoder
  ) throws -> EncodedPicture {
    let previews = try frame.withBytes { bytes in
      try encoder.encode(
        bytes: bytes, format: frame.format, exif: exif,
        renditions: [RenditionSettings(rendition: preview, quality: .quality(85))])
    }
    return try frame.withRawBytes { bytes, raw in
      let size = raw.format.size
      var exif = exif
      // The processed frame shows as much of the sensor as its shape and the zoom allow.
      let shown = frame.format.size
      let scale = min(
        Double(size.width) / Double(shown.width), Double(size.height) / Double(shown.height))
      exif.dotsPerInch? *= scale / max(frame.info.videoZoomFactor ?? 1, 1)
      let file = try DNGEncoder.encode(
        RawUnpacking(
          bytes, format: raw.format.format, size: size, bytesPerRow: raw.format.bytesPerRow),
        properties: raw.properties, exif: exif, digitalGain: frame.info.digitalGain ?? 1,
        thumbnail: previews.first?.bytes ?? [], xmp: xmp?.packet(for: .dng, size: size) ?? [])
      return EncodedPicture(
        rendition: .dng, bytes: file, size: size, quality: nil, encodeCount: 0, budgetFit: nil,
        hasThumbnail: true)
    }
  }

  /// The preview in IFD0, as large as DNG readers expect one.
  private static let preview = Rendition(name: "preview", box: Rendition.Box(256, 256))
}
