import API
import Devices
import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct PreviewPainterTests {
  private func report(
    width: Int, height: Int, angle: Int = 0, _ luma: (Int, Int) -> UInt8 = { _, _ in 128 }
  ) -> PreviewReport {
    let samples = (0..<width * height).map { luma($0 % width, $0 / width) }
    return PreviewReport(
      width: width, height: height, luma: Data(samples).base64EncodedString(), frame: .max,
      frameSize: SizeReport(width: 4608, height: 2592), captureAngle: angle,
      ageMilliseconds: 99_999, focus: 0.12345, clippedHighlights: 1, clippedShadows: 1,
      exposureMicroseconds: 60_000_000, gain: 1000, diopters: 100, focusState: "scanning")
  }

  private func painter(
    rows: Int = 24, columns: Int = 80, isAddressable: Bool = true, isSixel: Bool = false,
    width: Int? = nil, height: Int? = nil, lineSpeed: Int? = nil
  ) -> PreviewPainter {
    PreviewPainter(
      size: (rows, columns), isAddressable: isAddressable, isSixel: isSixel, width: width,
      height: height, pace: RefreshPace(interval: .milliseconds(500), lineSpeed: lineSpeed))
  }

  @Test(arguments: [(24, 80), (25, 132), (10, 40), (60, 200)])
  func `the picture and its lines fit the screen`(_ rows: Int, _ columns: Int) {
    let painter = painter(rows: rows, columns: columns)
    var track = FocusTrack()
    track.add(0.2)
    track.add(0.1)
    let picture = report(width: painter.previewSize.width, height: painter.previewSize.height)
    // The cursor stands in the last row, and the last column would wrap.
    let drawing = painter.drawing(picture, track, isFirst: true)
    #expect(drawing.count { $0 == 10 } <= rows - 1)
    #expect(String(decoding: drawing, as: UTF8.self).contains("best 0.2"))
    let lines = painter.view.lines(picture, track)
    for line in lines { #expect(PlainText.columns(line) <= columns - 1) }
    #expect(painter.previewSize.pixelAspect == 0.5)
  }

  @Test func `a VT100 is drawn in place and a dumb terminal is not`() {
    let small = report(width: 8, height: 8)
    let (first, next) = (
      painter().drawing(small, FocusTrack(), isFirst: true),
      painter().drawing(small, FocusTrack(), isFirst: false)
    )
    #expect(String(decoding: first, as: UTF8.self).hasPrefix("\u{1B}[2J\u{1B}[H"))
    let text = String(decoding: next, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[H") && text.hasSuffix("\u{1B}[J"))
    // Each row is erased behind its text; there is no other control sequence.
    #expect(text.split(separator: "\u{1B}").count == 12)
    for isFirst in [true, false] {
      let plain = painter(isAddressable: false).drawing(small, FocusTrack(), isFirst: isFirst)
      #expect(!plain.contains(0x1B))
      #expect(plain.filter { $0 == 10 }.count == 10)
    }
  }

  @Test func `the requested size is used within reason`() {
    #expect(
      painter(width: 40, height: 12).previewSize
        == PreviewSize(
          width: 40, height: 12, pixelAspect: 0.5))
    // A picture higher than the room for it would scroll away.
    #expect(painter(width: 300, height: 300).previewSize.height == 20)
    #expect(painter(isAddressable: false, width: 300, height: 300).previewSize.height == 300)
    #expect(
      painter(rows: 5, columns: 5).previewSize
        == PreviewSize(
          width: 8, height: 8, pixelAspect: 0.5))
  }

  @Test(arguments: [9600, 19_200, 115_200, 921_600])
  func `sixels become as large as the line allows`(_ speed: Int) {
    let painter = painter(isSixel: true, lineSpeed: speed)
    var generator = SeededGenerator(seed: 9)
    // Print on paper, slightly noisy.
    let size = painter.previewSize
    let page = report(width: size.width, height: size.height) { column, row in
      let ink = (column / 5 * 7 + row / 9 * 3) % 6 == 0
      return (ink ? 60 : 215) + UInt8.random(in: 0...6, using: &generator)
    }
    let drawing = painter.drawing(page, FocusTrack(), isFirst: false)
    #expect(painter.pace.transmission(of: drawing.count) < .seconds(8), "\(drawing.count) bytes")
    #expect(painter.previewSize.pixelAspect == 1)
    if speed == 921_600 { #expect(painter.previewSize == PreviewSize(width: 320, height: 240)) }
  }

  @Test func `a refusal is shown in place of the picture`() {
    let refusal = APIError(.conflict, "There is no preview.\u{1B}[2J")
    let text = String(decoding: painter().drawing(refusal: refusal, isFirst: false), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[HThere is no preview.\\u{1B}[2J"))
  }

  @Test func `a slow line never gets more than it can carry`() {
    let start = MonotonicInstant(nanoseconds: 0)
    let slow = RefreshPace(interval: .milliseconds(500), lineSpeed: 9600)
    // 80 by 24 characters take two seconds.
    #expect(slow.transmission(of: 1920) == .seconds(2))
    #expect(slow.next(after: start, byteCount: 1920) == start.advanced(by: .milliseconds(2500)))
    #expect(slow.next(after: start, byteCount: 96) == start.advanced(by: .milliseconds(500)))
    let fast = RefreshPace(interval: .milliseconds(500), lineSpeed: nil)
    #expect(fast.next(after: start, byteCount: 1 << 20) == start.advanced(by: .milliseconds(500)))
    for speed in [1200, 9600, 115_200, 921_600] {
      for count in stride(from: 0, to: 50_000, by: 777) {
        let pace = RefreshPace(interval: .milliseconds(100), lineSpeed: speed)
        let next = pace.next(after: start, byteCount: count)
        #expect(start.duration(to: next) >= pace.transmission(of: count))
      }
    }
  }

  @Test func `marks show the measured area`() {
    let shown = CharacterPicture.lines(report(width: 61, height: 21) { _, _ in 255 })
    // 1024 of 4608 columns are measured, and 1024 of 2592 rows.
    let marked = shown.enumerated().flatMap { row, line in
      line.enumerated().filter { $0.element == "+" }.map { [$0.offset, row] }
    }
    #expect(marked == [[23, 6], [37, 6], [30, 10], [23, 14], [37, 14]])
    #expect(shown[0] == String(repeating: "@", count: 61))
    // The picture is turned by a quarter, so the marks are as well.
    let turned = FramingMarks(report(width: 21, height: 61, angle: 90))
    #expect(
      turned.corners.map { [$0.column, $0.row] } == [[6, 23], [14, 23], [14, 37], [6, 37]])
  }

  /// The page in the left half of a frame.
  private static func page(_ advice: String = "Focus the camera on the page.") -> PagePreviewReport
  {
    var findings = PageFindings()
    findings.outline = [(0, 0), (0.5, 0), (0.5, 1), (0, 1)].map {
      PageFindings.Point(x: $0.0, y: $0.1)
    }
    return page(of: findings, advice)
  }

  private static func page(
    of findings: PageFindings, _ advice: String = "Focus the camera on the page."
  ) -> PagePreviewReport {
    PagePreviewReport(
      findings, aim: 0.456, advice: advice, frame: 1,
      frameSize: SizeReport(width: 4608, height: 2592),
      angle: 0, isMirrored: false, ageMilliseconds: 10)
  }

  @Test(
    arguments: [
      (0, [[0, 0], [20, 0], [20, 20], [0, 20]]), (90, [[40, 0], [40, 10], [0, 10], [0, 0]]),
      (180, [[40, 20], [20, 20], [20, 0], [40, 0]]),
      (270, [[0, 20], [0, 10], [40, 10], [40, 20]]),
    ])
  func `the corners of the page are marked in the upright picture`(
    _ angle: Int, _ corners: [[Int]]
  ) {
    let picture = report(width: 41, height: 21, angle: angle) { _, _ in 255 }
    let marks = FramingMarks(picture, Self.page())
    #expect(marks.page.map { [$0.column, $0.row] } == corners)
    let lines = CharacterPicture.lines(picture, Self.page())
    #expect(lines.joined().count { $0 == CharacterPicture.pageMark } == 4)
    #expect(SixelEncoder.encode(picture, Self.page()) != SixelEncoder.encode(picture))
    #expect(!CharacterPicture.ramp.contains(CharacterPicture.pageMark))
  }

  @Test(
    arguments: [
      (0, [[4, 2], [16, 2], [16, 8], [4, 8]]), (90, [[36, 2], [36, 8], [24, 8], [24, 2]]),
      (180, [[36, 18], [24, 18], [24, 12], [36, 12]]),
      (270, [[4, 18], [4, 12], [16, 12], [16, 18]]),
    ])
  func `the regions of text are marked in the upright picture`(
    _ angle: Int, _ corners: [[Int]]
  ) {
    var findings = PageFindings()
    findings.regions = [PageFindings.Region(x: 0.1, y: 0.1, width: 0.3, height: 0.3)]
    findings.textAngle = 90
    let page = Self.page(of: findings)
    let picture = report(width: 41, height: 21, angle: angle) { _, _ in 255 }
    let marked = CharacterPicture.lines(picture, page).enumerated().flatMap { row, line in
      line.enumerated().filter { $0.element == "T" }.map { [$0.offset, row] }
    }
    #expect(Set(marked) == Set(corners))
    #expect(SixelEncoder.encode(picture, page) != SixelEncoder.encode(picture))
    let foot = PreviewView().foot(picture, FocusTrack(), page)
    #expect(foot.last?.hasPrefix("aim 0.46  text 90°  Focus") == true)
    #expect(!CharacterPicture.ramp.contains(CharacterPicture.textMark))
  }

  @Test func `the aim and its advice are the last line and fit the screen`() {
    let picture = report(width: 79, height: 20)
    let lines = painter().view.lines(picture, FocusTrack(), Self.page())
    #expect(lines.count == 23 && lines.last == "aim 0.46  Focus the camera on the page.")
    let long = painter().view.foot(
      picture, FocusTrack(), Self.page(String(repeating: "Go on. ", count: 40)))
    #expect(long.count == PreviewView.footRows)
    #expect(long.allSatisfy { PlainText.columns($0) <= 79 })
  }

  @Test func `brighter samples never get darker characters`() throws {
    let ramp = report(width: 256, height: 8) { column, _ in UInt8(column) }
    let line = Array(try #require(CharacterPicture.lines(ramp).first))
    let places = try line.map { try #require(CharacterPicture.ramp.firstIndex(of: $0)) }
    #expect(places == places.sorted() && places.first == 0 && places.last == 9)
    #expect(!CharacterPicture.ramp.contains(CharacterPicture.mark))
  }

  @Test func `a report without its picture still has its lines`() {
    let broken = PreviewReport(
      width: 10, height: 10, luma: "AAAA", frame: 1, frameSize: SizeReport(width: 1, height: 1),
      captureAngle: 0, ageMilliseconds: 1, focus: 0, clippedHighlights: 0, clippedShadows: 0)
    #expect(broken.samples == nil)
    #expect(PreviewView().lines(broken, FocusTrack()).count == 2)
    #expect(SixelEncoder.encode(broken).isEmpty)
  }

  @Test func `the light and the lens are in one line`() {
    let lit = PreviewReport(
      width: 8, height: 8, luma: "", frame: 7, frameSize: SizeReport(width: 1, height: 1),
      captureAngle: 0, ageMilliseconds: 42, focus: 0, clippedHighlights: 0, clippedShadows: 0,
      exposureMicroseconds: 9500, gain: 1.25, colorTemperature: 4600, diopters: 2.25)
    #expect(
      PreviewView().foot(lit, FocusTrack())[1]
        == "white 0.0 %  black 0.0 %  9.5 ms  gain 1.25  4600 K  lens 2.25  42 ms old  #7")
  }

  @Test func `the best figure is kept`() {
    var track = FocusTrack()
    #expect(track.bar(4) == "----")
    for figure in [0.1, 0.4, 0.2, .nan] { track.add(figure) }
    #expect(track.best == 0.4 && track.now == 0.2 && track.bar(10) == "#####-----")
    let line = PreviewView().foot(report(width: 8, height: 8), track)[0]
    #expect(line.hasPrefix("focus 0.2000 [###############---------------] best 0.4000"))
  }
}
