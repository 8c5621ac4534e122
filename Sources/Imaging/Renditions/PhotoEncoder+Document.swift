import Devices

/// The picture of a page for readers: straightened, upright, and within its limits.
extension PhotoEncoder {
  /// The maximum number of sizes that are tried for a byte budget.
  private static let maximumTries = 6

  /// Encodes the page of a frame; the settings of its rendition have ``DocumentLimits``.
  ///
  /// A file that exceeds its limit is encoded with less quality, and then with fewer pixels.
  ///
  /// - Returns: `nil` for settings without limits, and for an outline that no page can have.
  /// - Throws: ``ImagingError``, as `encode` does.
  func encodeDocument(
    _ settings: RenditionSettings, from source: inout RenditionSource, exif: EXIFMetadata,
    findings: PageFindings, xmp: (PageFindings?) -> XMPMetadata?
  ) throws(ImagingError) -> EncodedPicture? {
    guard let limits = settings.document, let angle = exif.orientation.clockwiseRotation,
      let page = PageStraightening(of: findings, in: source.format.size, turnedClockwise: angle)
    else { return nil }
    let limit = Int(limits.maximumBytes)
    let threadCount = source.threadCount
    var scale = limits.scale(of: page.extent, letterHeight: findings.letterHeight)
    var count = 0
    var tries = 0
    while true {
      let frame = try page.frame(from: &source, scale: scale)
      // The size is rounded.
      let share = Double(frame.format.size.width) / page.extent.x
      var exif = exif
      exif.orientation = .up
      exif.dotsPerInch? *= share
      let found = findings.straightened(by: page, angle: angle, scale: share, limits)
      let metadata = xmp(found)
      func encoded(_ quality: JPEGQuality) throws(ImagingError) -> EncodedPicture? {
        let whole = RenditionSettings(
          rendition: Rendition(name: settings.rendition.name, box: nil), quality: quality,
          embedsThumbnail: settings.embedsThumbnail)
        let pictures = try FrameSource.copy(frame).withBytes {
          (bytes, format) throws(ImagingError) in
          try encode(
            bytes: bytes, format: format, exif: exif, renditions: [whole],
            stripeCount: threadCount, xmp: { _ in metadata })
        }
        count += pictures.first?.encodeCount ?? 0
        return pictures.first
      }
      guard var picture = try encoded(settings.quality) else { return nil }
      if picture.bytes.count > limit,
        let smaller = try encoded(.byteBudget(limit / 2...limit, startingAt: 75))
      {
        picture = smaller
      }
      tries += 1
      if picture.bytes.count > limit, tries < Self.maximumTries {
        // More than the bytes ask for: the quality was the lowest that is allowed.
        scale *= 0.8 * (Double(limit) / Double(picture.bytes.count)).squareRoot()
        continue
      }
      picture.rendition = settings.rendition
      picture.encodeCount = count
      picture.page = found
      return picture
    }
  }
}

extension PageFindings {
  /// Returns the findings about the picture of the straightened page, which is all of the picture.
  fileprivate func straightened(
    by straightening: PageStraightening, angle: Int, scale: Double, _ limits: DocumentLimits
  ) -> PageFindings {
    var page = PageFindings()
    page.textAngle = textAngle.map { ($0 - angle + 360) % 360 }
    page.textConfidence = textConfidence
    page.skew = skew.map { _ in straightening.skew }
    page.letterHeight = letterHeight.map { $0 * scale }
    page.edgeWidth = edgeWidth.map { $0 * scale }
    var problems = Set(warnings).subtracting([.lettersTooSmall])
    // The size of the picture is rounded.
    if let height = page.letterHeight, height < 0.99 * limits.minimumLetterHeight {
      problems.insert(.lettersTooSmall)
    }
    if page.skew == 0 { problems.remove(.pageCrooked) }
    page.warnings = PageWarning.allCases.filter(problems.contains)
    return page
  }
}
