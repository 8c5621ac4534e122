import Devices
import Foundation
import TestSupport
import Testing

@testable import Imaging

/// The rendition `document` of a page that was found.
@Suite struct DocumentTests {
  private static func settings(_ limits: DocumentLimits?) -> [RenditionSettings] {
    [
      RenditionSettings(rendition: .full, quality: .quality(90), embedsThumbnail: true),
      RenditionSettings(rendition: .document, quality: .quality(95), document: limits),
    ]
  }

  /// Encodes the photo and the document of a page.
  private func pictures(
    of photo: PhotographedPage, _ frame: TestFrame? = nil, findings: PageFindings?,
    _ limits: DocumentLimits? = DocumentLimits(), stripeCount: Int = 2
  ) throws -> [EncodedPicture] {
    let frame = frame ?? photo.taken()
    var exif = EXIFMetadataTests.full
    exif.orientation = try #require(ImageOrientation(clockwiseRotation: photo.turn))
    exif.dotsPerInch = 300
    return try frame.bytes.withUnsafeBytes {
      try PhotoEncoder().encode(
        bytes: $0, format: frame.format, exif: exif, renditions: Self.settings(limits),
        findings: findings, stripeCount: stripeCount)
    }
  }

  /// Returns the middle of what is dark about a place; `nil` where nothing is.
  private func darkness(
    in picture: (width: Int, height: Int, pixels: [UInt8]), about place: SIMD2<Double>
  ) -> SIMD2<Double>? {
    var (sum, weight) = (SIMD2(0.0, 0.0), 0.0)
    for row in max(Int(place.y) - 8, 0)..<min(Int(place.y) + 9, picture.height) {
      for column in max(Int(place.x) - 8, 0)..<min(Int(place.x) + 9, picture.width) {
        let green = Double(picture.pixels[(row * picture.width + column) * 3 + 1])
        let missing = max(PhotographedPage.paper.green - 40 - green, 0)
        sum += (SIMD2(Double(column), Double(row)) + 0.5) * missing
        weight += missing
      }
    }
    return weight > 500 ? sum / weight : nil
  }

  /// Expects the marks of the page within a pixel of their places.
  private func expectMarks(_ picture: EncodedPicture, _ name: String) throws {
    let shown = try TurboDecoder.decode(picture.bytes)
    let size = SIMD2(Double(shown.width), Double(shown.height))
    for mark in PhotographedPage.marks {
      let found = try #require(darkness(in: shown, about: mark * size), "\(name): no \(mark)")
      #expect((found - mark * size).length < 1, "\(name): \(found) for \(mark * size)")
    }
  }

  /// Expects the rule in the middle to be level over 150 pixels.
  private func expectLevelRule(_ picture: EncodedPicture) throws {
    let shown = try TurboDecoder.decode(picture.bytes)
    let middle = SIMD2(Double(shown.width), Double(shown.height)) / 2
    let left = try #require(darkness(in: shown, about: middle - SIMD2(75, 0)))
    let right = try #require(darkness(in: shown, about: middle + SIMD2(75, 0)))
    #expect(abs(right.y - left.y) < 0.5, "\(left) and \(right)")
  }

  @Test(arguments: [0, 90, 180, 270])
  func `a page at any turn comes out upright, with right angles and its proportions`(
    _ turn: Int
  ) throws {
    let photo = PhotographedPage(turn: turn)
    let picture = try pictures(of: photo, findings: photo.findings)[1]
    try expectMarks(picture, "\(turn)°")
    try expectLevelRule(picture)
    let ratio = Double(picture.size.width) / Double(picture.size.height)
    #expect(abs(ratio / 0.75 - 1) < 0.03)
    #expect(picture.rendition == .document)
    #expect(picture.page?.textAngle == 0 && picture.page?.skew == 0)
    #expect(picture.page?.warnings == [.glare])
    #expect(picture.page?.outline == nil && picture.page?.regions == [])
    let tags = try ExifTool.tags(picture.bytes)
    #expect(tags["IFD0:Orientation"] == "1")
    #expect(tags["ExifIFD:ExifImageWidth"] == "\(picture.size.width)")
    let resolution = try #require(tags["IFD0:XResolution"].flatMap(Double.init))
    let expected = 300 * Double(picture.size.width) / photo.size.x
    #expect(abs(resolution / expected - 1) < 0.05)
    #expect(try ExifTool.complaints(picture.bytes) == [])
  }

  @Test(arguments: [0, 0.5, 4], [128, 1024])
  func `no ground shows beside a page`(_ slant: Double, _ longSide: Int) throws {
    let photo = PhotographedPage(rotation: 3, slant: slant)
    var findings = photo.findings
    // The found sides are half a pixel outside of the page.
    let size = SIMD2(Double(photo.frame.width), Double(photo.frame.height))
    let outline = try #require(findings.outline)
    let middle = outline.reduce(SIMD2.zero) { $0 + SIMD2($1.x, $1.y) } / 4
    findings.outline = outline.map {
      let place = SIMD2($0.x, $0.y)
      let away = place - middle
      let moved = place + SIMD2(away.x < 0 ? -0.5 : 0.5, away.y < 0 ? -0.5 : 0.5) / size
      return PageFindings.Point(x: moved.x, y: moved.y)
    }
    var limits = DocumentLimits()
    limits.longSide = longSide
    limits.minimumLetterHeight = 0
    let document = try pictures(of: photo, findings: findings, limits)[1]
    let shown = try DecodedPicture(jpeg: document.bytes)
    let border =
      (0..<shown.height).flatMap { [($0, 0), ($0, shown.width - 1)] }
      + (0..<shown.width).flatMap { [(0, $0), (shown.height - 1, $0)] }
    for (row, column) in border {
      let color = shown.color(column, row)
      #expect(abs(color.green - PhotographedPage.paper.green) < 80, "\(column), \(row): \(color)")
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func `each layout of samples is straightened in its colors`(_ pixelFormat: PixelFormat) throws {
    let photo = PhotographedPage(turn: 90)
    var frame = photo.taken(pixelFormat == .mjpeg ? .yuv420 : pixelFormat)
    if pixelFormat == .mjpeg {
      let format = StreamFormat(
        size: photo.frame, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .unspecified)
      frame = TestFrame(format: format, bytes: try JPEGEncoderTests.encode(frame))
    }
    for stripeCount in [1, 3] {
      var small = DocumentLimits()
      small.longSide = 256
      small.minimumLetterHeight = 0
      for limits in [DocumentLimits(), small] {
        let picture = try pictures(
          of: photo, frame, findings: photo.findings, limits, stripeCount: stripeCount)[1]
        try expectMarks(picture, "\(pixelFormat)")
        let shown = try DecodedPicture(jpeg: picture.bytes)
        let color = shown.color(shown.width / 2, shown.height / 5)
        #expect(color.distance(to: PhotographedPage.paper) <= 5, "\(pixelFormat): \(color)")
      }
    }
  }

  @Test func `text that lies aslant on its page is leveled, and none of the page is lost`() throws {
    let photo = PhotographedPage(turn: 270, slant: 4)
    let picture = try pictures(of: photo, findings: photo.findings)[1]
    try expectLevelRule(picture)
    let sine = sin(4 * Double.pi / 180)
    let wider = Double(picture.size.width) - photo.size.x - photo.size.y * sine
    #expect(abs(wider) < 0.05 * photo.size.x)
    // A headline at 15 degrees is no reason to turn the page.
    let headline = PhotographedPage(turn: 270, slant: 15)
    let kept = try pictures(of: headline, findings: headline.findings)[1]
    try expectMarks(kept, "headline")
    let skew = try #require(kept.page?.skew)
    #expect(abs(skew + 15) < 1)
    #expect(kept.page?.warnings.contains(.pageCrooked) == true)
  }

  @Test(arguments: [0, 90]) func `a frame without an outline is turned and leveled`(
    _ turn: Int
  ) throws {
    let photo = PhotographedPage(turn: turn)
    var findings = photo.findings
    findings.outline = nil
    let picture = try pictures(of: photo, findings: findings)[1]
    try expectLevelRule(picture)
    let upright = turn == 0 ? photo.frame : FrameSize(width: 480, height: 640)
    #expect(picture.size.width > upright.width && picture.size.height > upright.height)
    findings.skew = nil
    #expect(try pictures(of: photo, findings: findings)[1].size == upright)
  }

  static let impossible: [[(Double, Double)]] = [
    // Three corners, counterclockwise, crossing sides, a dent, two points, tiny, no number, far away.
    [(0, 0), (1, 0), (1, 1)],
    [(0, 0), (0, 1), (1, 1), (1, 0)],
    [(0, 0), (1, 1), (1, 0), (0, 1)],
    [(0.1, 0.1), (0.9, 0.1), (0.3, 0.3), (0.1, 0.9)],
    [(0, 0), (0.5, 0), (1, 0.3), (0.5, 0.3)],
    [(0.5, 0.5), (0.55, 0.5), (0.55, 0.55), (0.5, 0.55)],
    [(0, 0), (.nan, 0), (1, 1), (0, 1)],
    [(0, 0), (9, 0), (9, 1), (0, 1)],
  ]

  @Test(arguments: impossible.indices)
  func `an outline that no page can have gives the plain rendition`(_ index: Int) throws {
    let photo = PhotographedPage(turn: 90)
    var findings = photo.findings
    findings.outline = Self.impossible[index].map { PageFindings.Point(x: $0.0, y: $0.1) }
    let plain = try pictures(of: photo, findings: nil)
    #expect(try pictures(of: photo, findings: findings) == plain)
    #expect(plain[1].page == nil)
    #expect(try ExifTool.tags(plain[1].bytes)["IFD0:Orientation"] == "6")
  }

  @Test func `the photo is the same with and without findings`() throws {
    let photo = PhotographedPage(turn: 90)
    let straightened = try pictures(of: photo, findings: photo.findings)
    let plain = try pictures(of: photo, findings: nil)
    #expect(straightened[0] == plain[0])
    #expect(straightened[1] != plain[1])
    // Without limits there is no straightening, as with the other renditions.
    #expect(try pictures(of: photo, findings: photo.findings, nil) == plain)
  }

  @Test func `the longer side holds unless the letters need more`() throws {
    let photo = PhotographedPage()
    let frame = photo.taken()
    var limits = DocumentLimits()
    limits.longSide = 256
    func picture(letterHeight: Double?) throws -> EncodedPicture {
      var findings = photo.findings
      findings.letterHeight = letterHeight
      return try pictures(of: photo, frame, findings: findings, limits)[1]
    }
    for height in [nil, 40.0] {
      #expect(try picture(letterHeight: height).size.height == 256)
    }
    let grown = try picture(letterHeight: 15)
    let height = try #require(grown.page?.letterHeight)
    #expect(abs(height - 12) < 0.1)
    #expect(grown.page?.warnings == [.glare])
    let whole = try picture(letterHeight: 8)
    let least = try #require(whole.page?.letterHeight)
    #expect(abs(least - 8) < 0.1)
    #expect(whole.page?.warnings == [.glare, .lettersTooSmall])
    #expect(abs(Double(whole.size.width) / photo.size.x - 1) < 0.05)
  }

  @Test func `the file's limit goes before quality, and then before the letters`() throws {
    let photo = PhotographedPage(noise: 80)
    let frame = photo.taken()
    var limits = DocumentLimits()
    let free = try pictures(of: photo, frame, findings: photo.findings, limits)[1]
    limits.maximumBytes = Int64(free.bytes.count * 3 / 4)
    let compressed = try pictures(of: photo, frame, findings: photo.findings, limits)[1]
    #expect(compressed.bytes.count <= Int(limits.maximumBytes))
    #expect(compressed.size == free.size && compressed.encodeCount >= 2)
    let quality = try #require(compressed.quality)
    #expect(quality < 95)
    limits.maximumBytes = 5000
    let small = try pictures(of: photo, frame, findings: photo.findings, limits)[1]
    #expect(small.bytes.count <= 5000)
    #expect(small.size.width < free.size.width)
    #expect(small.page?.warnings == [.glare, .lettersTooSmall])
    let shown = try TurboDecoder.decode(small.bytes)
    #expect(shown.width == small.size.width)
  }
}
