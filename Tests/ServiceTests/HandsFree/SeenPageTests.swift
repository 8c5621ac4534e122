import Devices
import PageSense
import Testing

@testable import Capture
@testable import Service
@testable import SimulatedDevices

/// Pages of the simulated book, known again by their letters.
@Suite struct SeenPageTests {
  /// Returns the look of the letters of a page of the simulated book.
  static func letters(ofPage page: Int, isOutlined: Bool = true) throws -> PageLook {
    let size = FrameSize(width: 1280, height: 960)
    let format = StreamFormat(
      size: size, pixelFormat: .yuv420, bytesPerRow: size.width, colorSpace: .jpeg)
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    let look: PageLook? = try bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress {
        PageScene(page: page, turn: .none, format: format).paint(on: base)
      }
      let bytes = UnsafeRawBufferPointer(bytes)
      guard isOutlined else { return try PageLook(bytes: bytes, format: format, outline: nil) }
      return try PageReader().readWithLook(bytes: bytes, format: format).look
    }
    return try #require(look)
  }

  /// Coarse fields that differ from number to number.
  private func fields(_ number: Int) -> PageFingerprint {
    let side = PageFingerprint.side
    return PageFingerprint(
      fields: (0..<side * side).map { index in
        let (row, column) = (index / side, index % side)
        let pattern: Int = row * 7 + column * 3 + number * row * column
        return 200 - 4 * Double(pattern % 11)
      })
  }

  @Test func `letters tell pages apart that have the same fields, and know a page again`() throws {
    let pages = try (1...4).map { try Self.letters(ofPage: $0) }
    for (index, letters) in pages.enumerated() {
      let page = SeenPage(letters: letters, fields: fields(1))
      #expect(page.isSamePage(as: SeenPage(letters: letters, fields: fields(2))))
      for other in pages[(index + 1)...] {
        #expect(!page.isSamePage(as: SeenPage(letters: other, fields: fields(1))))
      }
    }
  }

  @Test func `letters of a page that does not stand out may have been moved`() throws {
    let letters = try [1, 2].map { try Self.letters(ofPage: $0, isOutlined: false) }
    let page = SeenPage(letters: letters[0], fields: fields(1))
    #expect(page.isSamePage(as: SeenPage(letters: letters[1], fields: fields(1))))
    #expect(page.isSamePage(as: SeenPage(letters: letters[0], fields: fields(2))))
    #expect(!page.isSamePage(as: SeenPage(letters: letters[1], fields: fields(2))))
  }

  @Test func `without letters on both pages the fields decide`() throws {
    let letters = try Self.letters(ofPage: 1)
    #expect(!fields(1).isSamePage(as: fields(2)))
    for page in [SeenPage(fields: fields(1)), SeenPage(letters: letters, fields: fields(1))] {
      #expect(page.isSamePage(as: SeenPage(fields: fields(1))))
      #expect(!page.isSamePage(as: SeenPage(fields: fields(2))))
    }
  }
}
