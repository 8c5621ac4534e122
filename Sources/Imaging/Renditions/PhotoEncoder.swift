package import Devices

/// An encoder of all files of a photo from one frame.
///
/// Each rendition is encoded with its metadata and an optional thumbnail. A photo encoder owns a
/// ``JPEGEncoder`` and remembers the quality that met a byte budget. The encoder is not `Sendable`.
/// An actor on a ``DispatchQueueExecutor`` owns one, or ``EncoderPool`` owns several.
package final class PhotoEncoder {
  /// The allowed bytes of a thumbnail in an Exif segment; the metadata have the rest of 64 KiB.
  static let thumbnailBudget = 1...48 << 10
  /// The quality of a thumbnail's first try.
  static let thumbnailQuality = 80

  private let encoder: JPEGEncoder
  private var relations: [Rendition: QualitySizeRelation] = [:]

  /// Makes an encoder.
  ///
  /// - Throws: ``ImagingError``, code `encoderFailed`.
  package init() throws(ImagingError) {
    encoder = try JPEGEncoder()
  }

  /// Makes the files of a photo, in the order of the settings.
  ///
  /// Each picture reports its encoding. An MJPEG frame of full size is the camera's own image,
  /// regardless of the wanted quality (``EncodedPicture/isCamerasOwn``). A byte budget that cannot
  /// be met gives the nearest possible size (``EncodedPicture/budgetFit``). A rendition with
  /// ``DocumentLimits`` is the page alone, upright, where the findings allow it.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - exif: the picture's metadata; the orientation holds for all renditions, and the resolution
  ///     for the full one.
  ///   - renditions: the pictures to make.
  ///   - findings: the findings about the page in the frame; `nil` if it was not looked for.
  ///   - stripeCount: the number of threads for the work; less than 1 counts as 1.
  ///   - noteDocuments: a function that takes the pictures of the page alone. They are made first,
  ///     because a warning about them belongs into the metadata of the other files, too.
  ///   - xmp: a function that returns the metadata about the page. It takes the findings about a
  ///     picture of the page alone; `nil` for any other picture. For those it is called after the
  ///     first compression, perhaps often.
  /// - Throws: ``ImagingError``, as ``JPEGEncoder/encode(bytes:format:quality:stripeCount:)``,
  ///   ``ScaledFrame/init(of:format:size:threadCount:)`` and
  ///   ``JPEGFile/assemble(jpeg:exif:thumbnail:xmp:)`` do; the encoder stays usable.
  /// - Complexity: O(pixels), a pass for each encode; blocks the calling thread.
  package func encode(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, exif: EXIFMetadata,
    renditions: [RenditionSettings], findings: PageFindings? = nil, stripeCount: Int = 1,
    noteDocuments: ([EncodedPicture]) -> Void = { _ in },
    xmp: (PageFindings?) -> XMPMetadata? = { _ in nil }
  ) throws(ImagingError) -> [EncodedPicture] {
    var source = RenditionSource(bytes: bytes, format: format, threadCount: stripeCount)
    let plain = renditions.filter { findings == nil || $0.document == nil }
    try source.prepare(plain.map { $0.rendition.size(of: format.size) })
    var thumbnail: [UInt8]?
    if renditions.contains(where: { needsThumbnail($0, of: format.size) }) {
      thumbnail = try makeThumbnail(&source)
    }
    var pictures = [EncodedPicture?](repeating: nil, count: renditions.count)
    if let findings {
      for (index, settings) in renditions.enumerated() {
        pictures[index] = try encodeDocument(
          settings, from: &source, exif: exif, findings: findings, xmp: xmp)
      }
      noteDocuments(pictures.compactMap { $0 })
    }
    for (index, settings) in renditions.enumerated() where pictures[index] == nil {
      pictures[index] = try encode(
        settings, from: &source, exif: exif,
        thumbnail: needsThumbnail(settings, of: format.size) ? thumbnail : nil, xmp: xmp)
    }
    return pictures.compactMap { $0 }
  }

  private func needsThumbnail(_ settings: RenditionSettings, of size: FrameSize) -> Bool {
    settings.embedsThumbnail
      && Rendition.thumbnail.size(of: size) != settings.rendition.size(of: size)
  }

  private func encode(
    _ settings: RenditionSettings, from source: inout RenditionSource, exif: EXIFMetadata,
    thumbnail: [UInt8]?, xmp: (PageFindings?) -> XMPMetadata?
  ) throws(ImagingError) -> EncodedPicture {
    let rendition = settings.rendition
    let size = rendition.size(of: source.format.size)
    let isPassedOn = size == source.format.size && source.format.pixelFormat == .mjpeg
    let frame = try source.frame(of: size)
    let stripeCount = source.threadCount
    var exif = exif
    exif.dotsPerInch? *= Double(size.width) / Double(source.format.size.width)
    var thumbnail = thumbnail
    var packet: [UInt8]?
    func file(_ quality: Int) throws(ImagingError) -> [UInt8] {
      try frame.withBytes { (bytes, format) throws(ImagingError) in
        let jpeg = try encoder.encode(
          bytes: bytes, format: format, quality: quality, stripeCount: stripeCount)
        // The size counts with the packet, so that a byte budget holds for the whole file.
        let known = packet ?? xmp(nil)?.packet(for: rendition, size: size) ?? []
        packet = known
        do throws(ImagingError) {
          return try JPEGFile.assemble(jpeg: jpeg, exif: exif, thumbnail: thumbnail, xmp: known)
        } catch {
          // A picture is not lost because there is no room for its thumbnail.
          guard error.code == .metadataTooLarge, thumbnail != nil else { throw error }
          thumbnail = nil
          return try JPEGFile.assemble(jpeg: jpeg, exif: exif, xmp: known)
        }
      }
    }
    var search: ByteBudgetSearch
    switch settings.quality {
    case .quality(let quality):
      let quality = min(
        max(quality, JPEGEncoder.qualities.lowerBound), JPEGEncoder.qualities.upperBound)
      let bytes = try file(quality)
      return EncodedPicture(
        rendition: rendition, bytes: bytes, size: size,
        quality: isPassedOn ? nil : quality, encodeCount: isPassedOn ? 0 : 1, budgetFit: nil,
        hasThumbnail: thumbnail != nil)
    case .byteBudget(let budget, let first, let aim):
      search =
        relations[rendition].map { ByteBudgetSearch(budget: budget, aim: aim, after: $0) }
        ?? ByteBudgetSearch(budget: budget, aim: aim, startingAt: first)
    }
    var chosen: [UInt8] = []
    while let quality = search.quality {
      let bytes = try file(quality)
      search.record(byteCount: bytes.count)
      if search.best?.quality == quality { chosen = bytes }
      // The size of a picture that the camera encoded cannot be changed.
      if isPassedOn { break }
    }
    if !isPassedOn { relations[rendition] = search.relation }
    return EncodedPicture(
      rendition: rendition, bytes: chosen, size: size,
      quality: isPassedOn ? nil : search.best?.quality,
      encodeCount: isPassedOn ? 0 : search.tries.count, budgetFit: search.fit,
      hasThumbnail: thumbnail != nil)
  }

  /// Makes the picture for the Exif segment; `nil` when none is small enough.
  ///
  /// The result is also `nil` when an MJPEG frame, which is stored as it is, cannot be decoded.
  private func makeThumbnail(_ source: inout RenditionSource) throws(ImagingError) -> [UInt8]? {
    let frame: FrameSource
    do throws(ImagingError) {
      frame = try source.frame(of: Rendition.thumbnail.size(of: source.format.size))
    } catch {
      guard source.format.pixelFormat == .mjpeg else { throw error }
      return nil
    }
    var search = ByteBudgetSearch(
      budget: Self.thumbnailBudget, startingAt: Self.thumbnailQuality)
    var chosen: [UInt8]?
    while let quality = search.quality {
      let bytes = try frame.withBytes { (bytes, format) throws(ImagingError) in
        try JPEGFile.thumbnail(
          from: encoder.encode(bytes: bytes, format: format, quality: quality))
      }
      search.record(byteCount: bytes.count)
      if search.fit == .inside { chosen = bytes }
    }
    return chosen
  }
}
