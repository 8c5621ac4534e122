package import Devices
package import Imaging

/// The reader of a page in a frame: which way up, how crooked, where, and whether it can be read.
///
/// The reading takes two small copies of the frame. Outline, light and hands are read in the
/// smaller one with its colors, and text in the larger one. The width of the letters' edges is
/// measured in the frame itself, in which the way up is checked or looked for once more.
package struct PageReader: Sendable {
  /// The findings about a page, with the look by which it is known again.
  package struct Reading: Sendable, Hashable {
    /// The findings, with all warnings but ``PageWarning/pageRepeated``.
    package var findings: PageFindings
    /// The look of the letters; `nil` for a page without text, and where it was not wanted.
    package var look: PageLook?

    package init(_ findings: PageFindings, look: PageLook? = nil) {
      self.findings = findings
      self.look = look
    }
  }

  private let limits: PageLimits

  package init(_ limits: PageLimits = PageLimits()) { self.limits = limits }

  /// Reads the page in a frame; safe on any thread.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  /// - Returns: the findings, with all warnings but ``PageWarning/pageRepeated``.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG`, `unsupported`, `outOfMemory`.
  /// - Complexity: O(pixels); blocks the calling thread for some tens of milliseconds.
  package func read(
    bytes: UnsafeRawBufferPointer, format: StreamFormat
  ) throws(ImagingError) -> PageFindings {
    try read(bytes, format, withLook: false).findings
  }

  /// Reads the page in a frame and its look, as ``read(bytes:format:)`` does.
  ///
  /// The look costs less than one of its own, because the copy of the frame is the same.
  package func readWithLook(
    bytes: UnsafeRawBufferPointer, format: StreamFormat
  ) throws(ImagingError) -> Reading {
    try read(bytes, format, withLook: true)
  }

  private func read(
    _ bytes: UnsafeRawBufferPointer, _ format: StreamFormat, withLook: Bool
  ) throws(ImagingError) -> Reading {
    let size = SmallPicture.size(of: format.size, pixels: PageThresholds.textPixels)
    let copy = try ScaledFrame(of: bytes, format: format, size: size)
    let colors = SmallPicture(
      try copy.scaled(to: Self.outlineSize(of: size)), withColors: true)
    let picture = SmallPicture(copy, withColors: false)
    let found = PagePrint.find(in: picture, colors: colors)
    let (page, outline, light) = (found.page, found.outline, found.light)
    var text = found.text
    let edges = found.reader.map {
      EdgeWidth.places(in: picture, text: $0, inside: found.outlineOfText.shrunk(to: 0.965))
    }
    let places = edges?.places ?? []
    let isReviewed = text.confidence > 0 && !found.isDarkCover
    let isMeasured = places.count >= PageThresholds.fewestEdges
    var findings = PageFindings()
    if isReviewed || isMeasured {
      try LumaPlane.with(bytes, format) { plane in
        if isReviewed { CloseUp.review(&text, of: size, in: plane) }
        if isMeasured { findings.edgeWidth = EdgeWidth.measure(places, of: size, in: plane) }
      }
    }
    if text.confidence >= 1 { findings.textAngle = text.angle }
    findings.textConfidence = text.confidence > 0 ? text.confidence : nil
    findings.skew = text.skew
    if page != nil { findings.outline = outline.points(width: colors.width, height: colors.height) }
    findings.regions = text.regions.map { $0.region(width: size.width, height: size.height) }
    findings.letterHeight = text.letterHeight.map {
      $0 * (Double(format.size.area) / Double(size.area)).squareRoot()
    }
    var warnings = warnings(findings)
    var (isInShadow, isSmeared) = (false, false)
    // Without an outline, the ground may have the color of skin, as wood has.
    if page != nil, HandFinder(picture: colors, page: outline, light: light).coveredShare() > 0 {
      warnings.insert(.pageCovered)
      // Without letters, the soft edges are those of the hand.
      if text.letterHeight == nil { warnings.remove(.textBlurred) }
    } else if page != nil, !found.isDarkCover {
      // A hand is dark and gray, too.
      isInShadow = PageShadow(picture: colors, page: outline).isLarge
      isSmeared =
        text.letterHeight == nil && findings.edgeWidth == nil
        && PageSmear(colors, page: outline).isLarge
    }
    if isInShadow {
      warnings.insert(.badExposure)
      // Without letters, the soft edges are those of the shadow.
      if text.letterHeight == nil { warnings.remove(.textBlurred) }
    }
    if isSmeared { warnings.insert(.textBlurred) }
    if let page, page.isCutOff { warnings.insert(.pageCutOff) }
    if light.saturated >= PageThresholds.partlyOverexposed
      || (light.paper < PageThresholds.darkPaper && !found.isDarkCover)
    {
      warnings.insert(.badExposure)
    }
    // In a picture that is nearly all saturated no reflection can be seen.
    if light.saturated >= PageThresholds.glare, light.saturated < PageThresholds.overexposure {
      warnings.insert(.glare)
    }
    if text.letterCount < PageThresholds.emptyLetters, !isSmeared,
      isInShadow || edges?.ink ?? 0 < PageThresholds.emptyInk
    {
      warnings.insert(.pageEmpty)
    }
    findings.warnings = PageWarning.allCases.filter(warnings.contains)
    guard withLook, text.letterCount >= PageThresholds.fewestLetters else {
      return Reading(findings)
    }
    let look = PageLook(picture, outline: findings.outline)
    return Reading(findings, look: look.isBlank ? nil : look)
  }

  /// Returns the warnings about the text.
  private func warnings(_ findings: PageFindings) -> Set<PageWarning> {
    var warnings: Set<PageWarning> = []
    let range = PageThresholds.sharpEdge
    let sharp = findings.letterHeight.map {
      min(max($0 * limits.maximumEdgeWidth, range.lowerBound), range.upperBound)
    }
    if let width = findings.edgeWidth, width > sharp ?? PageThresholds.sharpInk {
      warnings.insert(.textBlurred)
    }
    if let height = findings.letterHeight, height < limits.minimumLetterHeight {
      warnings.insert(.lettersTooSmall)
    }
    if let skew = findings.skew, abs(skew) > limits.maximumSkew { warnings.insert(.pageCrooked) }
    return warnings
  }

  /// Returns the size of the copy that outline, light and hands are read in.
  private static func outlineSize(of size: FrameSize) -> FrameSize {
    let longest = max(size.width, size.height)
    let side = min(longest, PageThresholds.outlineSide)
    return FrameSize(
      width: max(1, size.width * side / longest), height: max(1, size.height * side / longest))
  }
}

extension Quadrilateral {
  /// Returns the corners as fractions of a picture.
  fileprivate func points(width: Int, height: Int) -> [PageFindings.Point] {
    corners.map { corner in
      PageFindings.Point(
        x: min(max(corner.x / Double(width), 0), 1), y: min(max(corner.y / Double(height), 0), 1))
    }
  }
}

extension PixelBox {
  /// Returns the box as fractions of a picture.
  fileprivate func region(width: Int, height: Int) -> PageFindings.Region {
    PageFindings.Region(
      x: Double(x) / Double(width), y: Double(y) / Double(height),
      width: Double(self.width) / Double(width), height: Double(self.height) / Double(height))
  }
}
