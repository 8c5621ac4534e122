import Devices
import PageSense
import Testing

@testable import SimulatedDevices

/// Light print on dark covers, and what is no cover.
@Suite struct PagePrintTests {
  /// The page as a dark cover with light print, on its desk.
  private static var cover: PageFrame {
    var frame = PageFrame()
    frame.exchangeLightAndDark(in: PageSceneLayout.sheet)
    return frame
  }

  @Test func `light print on a dark cover is read, and nothing is wrong with it`() throws {
    let frame = Self.cover
    let findings = try frame.read()
    try frame.expectOutline(findings.outline, at: frame.place(of: PageSceneLayout.sheet))
    #expect(findings.textAngle == 0)
    #expect(abs(findings.skew ?? 90) < 0.3)
    let height = try #require(findings.letterHeight)
    #expect((8...13).contains(height))
    #expect(findings.warnings == [])
  }

  @Test func `a few words are enough to find a dark cover, and a dark sheet is none`() throws {
    for hasTitle in [true, false] {
      var frame = Self.cover
      let sheet = frame.place(of: PageSceneLayout.sheet)
      let title = frame.place(
        of: SceneRectangle(left: -0.25, top: -0.2, right: 0.25, bottom: -0.14))
      let cloth = SceneColor(luma: 33, blue: 124, red: 131)
      frame.paint { x, y in
        guard (sheet.left..<sheet.right).contains(x), (sheet.top..<sheet.bottom).contains(y) else {
          return nil
        }
        let isTitle =
          hasTitle && (title.left..<title.right).contains(x)
          && (title.top..<title.bottom).contains(y)
        return isTitle ? nil : cloth
      }
      let findings = try frame.read()
      if hasTitle {
        try frame.expectOutline(findings.outline, at: sheet)
        #expect(!findings.warnings.contains(.badExposure))
        #expect(!findings.warnings.contains(.pageEmpty))
      } else {
        #expect(findings.outline == nil)
      }
    }
  }

  @Test func `a cover is told by its color from a ground as dark as itself`() throws {
    var frame = PageFrame(level: 128, size: FrameSize(width: 1280, height: 960))
    frame.paint { x, y in
      guard (440..<840).contains(x), (240..<720).contains(y) else { return SceneColor(luma: 50) }
      let isMark = x % 24 < 10 && y % 32 < 12 && (460..<820).contains(x)
      return SceneColor(luma: isMark ? 220 : 50, blue: 112, red: 160)
    }
    let findings = try frame.read()
    // The colors of a frame have half its resolution: a pixel of the small picture's are 8 here.
    try frame.expectOutline(
      findings.outline, at: PixelRectangle(left: 440, top: 240, right: 840, bottom: 720), within: 8)
    #expect(!findings.warnings.contains(.badExposure))
  }

  @Test func `a dark picture does not replace a page that is cut off`() throws {
    var frame = PageFrame(level: 60, size: FrameSize(width: 1280, height: 960))
    frame.paint { x, y in
      guard x > 400, y > 100, y < 860 else { return nil }
      let inward = min(x - 640, 1040 - x, y - 240, 720 - y)
      guard inward >= 0 else { return SceneColor(luma: 222) }
      return SceneColor(luma: x % 24 < 10 && y % 32 < 12 && inward > 20 ? 220 : 40)
    }
    #expect(try frame.read().warnings.contains(.pageCutOff))
  }

  @Test(arguments: [true, false])
  func `a dark picture on a page that fills the frame is no cover`(hasPrint: Bool) throws {
    var frame = PageFrame(level: 222, size: FrameSize(width: 1280, height: 960))
    let (ink, light) = (SceneColor(luma: 40), SceneColor(luma: 220))
    frame.paint { x, y in
      // Marks of one size are letters that tell no way up.
      let isMark = x % 24 < 10 && y % 32 < 12
      let inward = min(x - 440, 840 - x, y - 240, 720 - y)
      if inward >= 0 { return isMark && inward > 20 ? light : ink }
      let isPrint = x % 14 < 6 && y % 20 < 8
      return hasPrint && isPrint && inward < -40 ? ink : nil
    }
    #expect(try (frame.read().outline == nil) == hasPrint)
  }
}
