import Devices
import PageSense
import TestSupport
import Testing

@testable import SimulatedDevices

/// The same page, and other pages of the same book.
@Suite struct PageLookTests {
  private func look(_ frame: PageFrame) throws -> PageLook {
    let outline = try frame.read().outline
    return try frame.bytes.withUnsafeBytes {
      try PageLook(bytes: $0, format: frame.format, outline: outline)
    }
  }

  @Test func `a page that was touched, in other light and with noise, is the same`() throws {
    let page = try look(PageFrame())
    #expect(page.isSamePage(as: page))
    var random = TestSeed.generator(27)
    for degrees in [-0.4, 0.4] {
      var frame = PageFrame()
      frame.turn(by: degrees)
      for index in 0..<frame.format.planes[0].byteCount {
        let level = Int(frame.bytes[index]) * 8 / 10 + Int.random(in: -3...3, using: &random)
        frame.bytes[index] = UInt8(clamping: level)
      }
      #expect(try look(frame).isSamePage(as: page), "\(degrees)°, seed \(TestSeed.value)")
    }
  }

  @Test func `a page of print as fine as the samples is the same after a touch`() throws {
    let size = FrameSize(width: 1280, height: 960)
    var random = TestSeed.generator(28)
    // Strokes of three pixels in cells of eight by fourteen, at one of three places.
    let columns = size.width / 8 + 2
    let places = (0..<columns * (size.height / 14 + 2)).map { _ in
      Int.random(in: 0..<3, using: &random)
    }
    func look(right: Int, down: Int) throws -> PageLook {
      var frame = PageFrame(level: 220, size: size)
      frame.paint { x, y in
        let (column, row) = (x + right, y + down)
        let start = 3 * places[row / 14 * columns + column / 8]
        let isInk = row % 14 < 8 && (start..<start + 3).contains(column % 8)
        return isInk ? SceneColor(luma: 40) : nil
      }
      return try frame.bytes.withUnsafeBytes {
        try PageLook(bytes: $0, format: frame.format, outline: nil)
      }
    }
    let page = try look(right: 0, down: 0)
    for (right, down) in [(1, 1), (2, 1), (3, 2)] {
      let touched = try look(right: right, down: down)
      #expect(touched.isSamePage(as: page), "\(right), \(down), seed \(TestSeed.value)")
    }
  }

  @Test func `the next page of the book is another one`() throws {
    var before = try look(PageFrame(page: 1))
    for page in 2...10 {
      let next = try look(PageFrame(page: page))
      #expect(!next.isSamePage(as: before), "page \(page)")
      before = next
    }
  }

  @Test func `a page that ends halfway is none that goes on`() throws {
    let whole = PageFrame()
    let outline = try #require(try whole.read().outline)
    let size = whole.format.size
    func place(_ point: PageFindings.Point) -> (x: Int, y: Int) {
      (Int(point.x * Double(size.width)), Int(point.y * Double(size.height)))
    }
    let (first, last) = (place(outline[0]), place(outline[2]))
    // The margin of the page has no print.
    let paper = whole.bytes[(first.y + 12) * size.width + first.x + 12]
    var half = whole
    half.paint { x, y in
      let isBelow = y > (first.y + last.y) / 2 && y < last.y - 8
      return isBelow && x > first.x + 8 && x < last.x - 8 ? SceneColor(luma: paper) : nil
    }
    let (start, all) = (try look(half), try look(whole))
    #expect(!start.isSamePage(as: all) && !all.isSamePage(as: start))
  }

  @Test func `a reading has the look of its page, and none of a page without text`() throws {
    let frame = PageFrame()
    let reading = try frame.bytes.withUnsafeBytes {
      try PageReader().readWithLook(bytes: $0, format: frame.format)
    }
    let alone = try look(frame)
    #expect(reading.look == alone && !alone.isBlank)
    let findings = try frame.bytes.withUnsafeBytes {
      try PageReader().read(bytes: $0, format: frame.format)
    }
    #expect(reading.findings == findings)
    let desk = PageFrame(level: 128, size: FrameSize(width: 640, height: 480))
    let none = try desk.bytes.withUnsafeBytes {
      try PageReader().readWithLook(bytes: $0, format: desk.format)
    }
    #expect(none.look == nil)
  }

  @Test(arguments: [1, 9, 400]) func `plain frames of any size have no page to know`(
    side: Int
  ) throws {
    let frame = PageFrame(level: 128, size: FrameSize(width: side, height: side))
    let look = try frame.bytes.withUnsafeBytes {
      try PageLook(bytes: $0, format: frame.format, outline: nil)
    }
    #expect(!look.isSamePage(as: look) && look.isBlank)
  }
}
