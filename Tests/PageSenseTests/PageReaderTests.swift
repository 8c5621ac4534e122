import Devices
import PageSense
import TestSupport
import Testing

@testable import SimulatedDevices

/// The findings about the simulated page, and about frames that are no page.
@Suite struct PageReaderTests {
  @Test(arguments: QuarterTurn.allCases)
  func `the text of a page tells the way up, and a good page has no warning`(
    turn: QuarterTurn
  ) throws {
    let findings = try PageFrame(turn: turn).read()
    #expect(findings.textAngle == turn.rawValue)
    #expect((findings.textConfidence ?? 0) > 1)
    #expect(abs(findings.skew ?? 90) < 0.3)
    #expect(findings.warnings == [])
    let height = try #require(findings.letterHeight)
    #expect((8...13).contains(height))
    #expect((findings.edgeWidth ?? 90) < 3)
  }

  @Test func `the outline of a page and the place of its text are found`() throws {
    let frame = PageFrame()
    let findings = try frame.read()
    try frame.expectOutline(findings.outline, at: frame.place(of: PageSceneLayout.sheet))
    let text = frame.place(of: PageSceneLayout.text)
    let region = try #require(findings.regions.first)
    #expect(abs(region.x * 1280 - Double(text.left)) < 30)
    #expect(region.width * 1280 > 0.7 * Double(text.right - text.left))
  }

  /// The frame counter's marks lie along the picture's last rows, dark and bright.
  @Test(arguments: [1407, 1527, 1655, 1663, 1778, 1815])
  func `marks along the picture's border do not move the outline`(number: UInt32) throws {
    for page in 1...8 {
      var frame = PageFrame(page: page, size: FrameSize(width: 1920, height: 1080))
      frame.number(number)
      let outline = try frame.read().outline
      try frame.expectOutline(outline, at: frame.place(of: PageSceneLayout.sheet))
    }
  }

  @Test(arguments: [-6.0, 4])
  func `the skew is measured, and a crooked page is warned of`(degrees: Double) throws {
    var frame = PageFrame()
    frame.turn(by: degrees)
    let findings = try frame.read()
    #expect(findings.textAngle == 0)
    #expect(abs((findings.skew ?? 90) + degrees) < 0.3)
    #expect(findings.warnings == [.pageCrooked])
  }

  @Test(arguments: [0.0, 2])
  func `the letters of a page that fills the picture are enlarged less, and read as exactly`(
    degrees: Double
  ) throws {
    var look = SceneLook()
    look.zoom = 1.15
    var frame = PageFrame(size: FrameSize(width: 1200, height: 1200), look: look)
    frame.turn(by: degrees)
    let findings = try frame.read()
    #expect(findings.textAngle == 0)
    #expect(abs((findings.skew ?? 90) + degrees) < 0.15)
    let height = try #require(findings.letterHeight)
    #expect((11...19).contains(height))
  }

  @Test func `small print on a page that fills the picture is enlarged fully and read`() throws {
    // Text is read in a copy of this size. The page is enlarged by 1.34 at first.
    // Most of its letters then have 3 pixels, and no height of a small letter x is found.
    var frame = PageFrame(level: 142, size: FrameSize(width: 1200, height: 1000))
    let sheet = PixelRectangle(left: 20, top: 20, right: 1180, bottom: 980)
    let small = PageFrame(size: FrameSize(width: 330, height: 330))
    let text = small.place(of: PageSceneLayout.text)
    frame.paint { x, y in
      let inward = min(x - sheet.left, sheet.right - 1 - x, y - sheet.top, sheet.bottom - 1 - y)
      guard inward >= 0 else { return nil }
      guard inward >= 20 else { return SceneColor(luma: 222) }
      let column = text.left + x % (text.right - text.left)
      let row = text.top + y % (text.bottom - text.top)
      return SceneColor(luma: small.bytes[row * small.format.bytesPerRow + column])
    }
    let findings = try frame.read()
    try frame.expectOutline(findings.outline, at: sheet)
    #expect(findings.textAngle == 0)
    let height = try #require(findings.letterHeight)
    #expect((2...4).contains(height))
  }

  @Test func `a finger that comes over the page's side covers it`() throws {
    var frame = PageFrame()
    let sheet = frame.place(of: PageSceneLayout.sheet)
    let skin = SceneColor(luma: 110, blue: 108, red: 152)
    frame.paint { x, y in
      abs(y - 480) < 35 && x > sheet.right - 110 ? skin : nil
    }
    #expect(try frame.read().warnings.contains(.pageCovered))
  }

  @Test(arguments: QuarterTurn.allCases)
  func `the hand of the simulated scene is found, and not when it is gone`(
    turn: QuarterTurn
  ) throws {
    for size in [FrameSize(width: 1280, height: 960), FrameSize(width: 1920, height: 1080)] {
      let covered = try PageFrame(turn: turn, size: size, hasHand: true).read()
      #expect(covered.warnings.contains(.pageCovered), "\(size)")
      let free = try PageFrame(turn: turn, size: size).read()
      #expect(!free.warnings.contains(.pageCovered), "\(size)")
    }
  }

  @Test func `a picture in the color of skin that ends within the page is no hand`() throws {
    var frame = PageFrame()
    let place = frame.place(of: PageSceneLayout.photograph)
    let skin = SceneColor(luma: 150, blue: 108, red: 152)
    frame.paint { x, y in
      (place.left..<place.right).contains(x) && (place.top..<place.bottom).contains(y) ? skin : nil
    }
    #expect(try frame.read().warnings == [])
  }

  @Test func `a reflection on the page is glare`() throws {
    var frame = PageFrame()
    let light = SceneColor(luma: 255)
    frame.paint { x, y in
      (x - 600) * (x - 600) + (y - 480) * (y - 480) < 70 * 70 ? light : nil
    }
    #expect(try frame.read().warnings == [.glare])
  }

  @Test func `a blurred page is warned of`() throws {
    var frame = PageFrame()
    frame.blur(side: 13)
    let findings = try frame.read()
    #expect(findings.warnings.contains(.textBlurred))
    #expect(findings.textAngle == nil)
  }

  @Test func `print that is blurred beyond all edges is blurred, and no empty page`() throws {
    var frame = PageFrame()
    let sheet = frame.place(of: PageSceneLayout.sheet)
    // A gray block with soft sides, and nothing else on the paper.
    frame.paint { x, y in
      guard (sheet.left..<sheet.right).contains(x), (sheet.top..<sheet.bottom).contains(y) else {
        return nil
      }
      let inward = min(x - sheet.left, sheet.right - x, y - sheet.top, sheet.bottom - y) - 60
      return SceneColor(luma: UInt8(222 - min(max(inward, 0), 80) / 2), blue: 124, red: 131)
    }
    let warnings = try frame.read().warnings
    #expect(warnings == [.textBlurred])
  }

  /// An empty sheet on its desk, with its place.
  private func emptySheet() -> (frame: PageFrame, sheet: PixelRectangle) {
    var frame = PageFrame()
    let sheet = frame.place(of: PageSceneLayout.sheet)
    let paper = SceneColor(luma: 222, blue: 124, red: 131)
    frame.paint { x, y in
      (sheet.left..<sheet.right).contains(x) && (sheet.top..<sheet.bottom).contains(y)
        ? paper : nil
    }
    return (frame, sheet)
  }

  @Test func `an empty sheet that is partly in shadow is empty`() throws {
    var (frame, sheet) = emptySheet()
    for y in 0..<960 {
      // The shadow ends softly, over 40 rows.
      let percent = 18 + min(max(y - (sheet.top + sheet.bottom) / 2, 0), 40) * 82 / 40
      for index in (y * frame.format.bytesPerRow)..<((y + 1) * frame.format.bytesPerRow) {
        frame.bytes[index] = UInt8(Int(frame.bytes[index]) * percent / 100)
      }
    }
    let warnings = try frame.read().warnings
    #expect(Set(warnings) == [.badExposure, .pageEmpty], "\(warnings)")
  }

  @Test func `a dark page is warned of`() throws {
    var frame = PageFrame()
    for index in 0..<frame.format.planes[0].byteCount { frame.bytes[index] /= 5 }
    #expect(try frame.read().warnings.contains(.badExposure))
  }

  /// The page, with light taken from a part of the frame.
  private func shaded(_ percent: Int, _ isInShadow: (_ x: Int, _ y: Int) -> Bool) -> PageFrame {
    var frame = PageFrame()
    for y in 0..<960 {
      for x in 0..<1280 where isInShadow(x, y) {
        let index = y * frame.format.bytesPerRow + x
        frame.bytes[index] = UInt8(Int(frame.bytes[index]) * percent / 100)
      }
    }
    return frame
  }

  @Test(arguments: [15, 22])
  func `a shadow over a third of the page is warned of`(percent: Int) throws {
    let sheet = PageFrame().place(of: PageSceneLayout.sheet)
    let (right, bottom) = (
      sheet.left + (sheet.right - sheet.left) * 2 / 3,
      sheet.top + (sheet.bottom - sheet.top) * 2 / 3
    )
    #expect(try shaded(percent) { x, _ in x > right }.read().warnings.contains(.badExposure))
    #expect(try shaded(percent) { _, y in y > bottom }.read().warnings.contains(.badExposure))
  }

  @Test func `a dark picture on the page and a dark desk are no shadow`() throws {
    let frame = PageFrame()
    let (sheet, photograph) = (
      frame.place(of: PageSceneLayout.sheet), frame.place(of: PageSceneLayout.photograph)
    )
    let picture = shaded(20) { x, y in
      (photograph.left..<photograph.right).contains(x)
        && (photograph.top..<photograph.bottom).contains(y)
    }
    #expect(try !picture.read().warnings.contains(.badExposure))
    let desk = shaded(20) { x, y in
      !((sheet.left..<sheet.right).contains(x) && (sheet.top..<sheet.bottom).contains(y))
    }
    #expect(try !desk.read().warnings.contains(.badExposure))
  }

  @Test func `a reflection over a third of the page is too much light as well`() throws {
    var frame = PageFrame()
    let sheet = frame.place(of: PageSceneLayout.sheet)
    let light = SceneColor(luma: 255)
    frame.paint { x, y in
      (sheet.left + 40..<sheet.right - 40).contains(x)
        && (sheet.top + 60..<sheet.top + 440).contains(y) ? light : nil
    }
    #expect(try frame.read().warnings.contains(.badExposure))
    #expect(try frame.read().warnings.contains(.glare))
  }

  @Test func `letters below the limit are too small`() throws {
    let findings = try PageFrame().read(PageLimits(minimumLetterHeight: 30))
    #expect(findings.warnings == [.lettersTooSmall])
  }

  @Test func `a page beyond the frame is cut off`() throws {
    var frame = PageFrame()
    let sheet = frame.place(of: PageSceneLayout.sheet)
    let paper = SceneColor(luma: 222, blue: 124, red: 131)
    frame.paint { x, y in
      x >= sheet.right - 20 && (sheet.top..<sheet.bottom).contains(y) ? paper : nil
    }
    #expect(try frame.read().warnings == [.pageCutOff])
  }

  /// A sheet that is turned by 8°, with its lowest corner at 935 or 980 of 960 rows.
  @Test(arguments: [(480.0, false), (525, true)])
  func `a page with a corner beyond the frame is cut off`(middle: Double, isCutOff: Bool) throws {
    var frame = PageFrame(level: 60, size: FrameSize(width: 1280, height: 960))
    let (cosine, sine) = (0.9903, 0.1392)
    frame.paint { x, y in
      let (right, down) = (Double(x) - 640, Double(y) - middle)
      let isOnSheet =
        abs(right * cosine + down * sine) < 350 && abs(down * cosine - right * sine) < 410
      return isOnSheet ? SceneColor(luma: 222) : nil
    }
    let findings = try frame.read()
    #expect(findings.outline?.count == 4)
    #expect(findings.warnings.contains(.pageCutOff) == isCutOff)
  }

  @Test func `an empty sheet has no text and is empty`() throws {
    let (frame, _) = emptySheet()
    let findings = try frame.read()
    #expect(findings.warnings == [.pageEmpty])
    #expect(findings.textAngle == nil)
    #expect(findings.letterHeight == nil)
    #expect(findings.outline?.count == 4)
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .yuyv, .rgb, .bgr])
  func `no frame of any format and size is too odd`(pixelFormat: PixelFormat) throws {
    var random = TestSeed.generator(26)
    for (width, height) in [(1, 1), (2, 3), (17, 9), (40, 400), (400, 40), (321, 243)] {
      for level in [0, 128, 255] as [UInt8] {
        var frame = PageFrame(
          level: level, size: FrameSize(width: width, height: height), pixelFormat: pixelFormat)
        #expect(try frame.read().textAngle == nil)
        for index in frame.bytes.indices {
          frame.bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        #expect(try frame.read().textAngle == nil, "seed \(TestSeed.value)")
      }
    }
  }

  @Test func `a frame that is too short is refused`() {
    var frame = PageFrame(level: 0, size: FrameSize(width: 64, height: 64))
    frame.bytes.removeLast(64)
    #expect(throws: (any Error).self) { try frame.read() }
  }
}
