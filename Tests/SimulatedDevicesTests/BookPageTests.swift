import Devices
import Foundation
import Testing

@testable import SimulatedDevices

@Suite struct BookPageTests {
  @Test func `pages hold the whole book in order and repeat`() {
    var words: [String] = []
    var count = 0
    repeat {
      count += 1
      words += BookPage.numbered(count).words
    } while BookPage.numbered(count + 1).words != BookPage.numbered(1).words
    #expect(words == BookText.paragraphs.flatMap(\.self))
    #expect(BookPage.numbered(0).words == BookPage.numbered(count).words)
    #expect(BookPage.numbered(65_535).words.count > 20)
  }

  /// A page is known to be turned by its look, as readers of pages know it.
  @Test func `a page differs from its neighbors`() {
    for number in 0...40 {
      #expect(BookPage.numbered(number).words != BookPage.numbered(number + 1).words, "\(number)")
    }
  }

  @Test func `letters stay within the text's place`() {
    let text = PageSceneLayout.text
    let width = PageSceneLayout.bitmapPixels(text.right - text.left)
    let height = PageSceneLayout.bitmapPixels(text.bottom - text.top)
    // The distance by which the hook of an f may hang over.
    let overhang = Typeface.em / 8
    for number in 1...20 {
      for letter in BookPage.numbered(number).letters {
        let glyph = Typeface.book[letter.character]
        #expect(letter.x + glyph.left >= -overhang)
        #expect(letter.x + glyph.left + glyph.width <= width + overhang)
        #expect(letter.y + glyph.top + glyph.height <= height)
      }
    }
  }

  @Test(arguments: QuarterTurn.allCases) func `a turned camera sees the letters turned`(
    turn: QuarterTurn
  ) {
    let size = FrameSize(width: 800, height: 800)
    let upright = ScenePicture(page: 1, turn: .none, number: 1, size: size)
    var picture = ScenePicture(page: 1, turn: turn, number: 1, size: size)
    for _ in 0..<(turn.rawValue / 90) { picture = picture.turned }
    let text = PageSceneLayout(size: size).pixels(of: PageSceneLayout.text, turn: .none)
    var differences = 0
    var ink = 0
    for y in text.top..<text.bottom {
      for x in text.left..<text.right {
        let (one, other) = (upright.luma[y * 800 + x], picture.luma[y * 800 + x])
        // The paper's noise is the sensor's and does not turn with the page.
        if abs(Int(one) - Int(other)) > 6 { differences += 1 }
        if one < 100 { ink += 1 }
      }
    }
    #expect(differences == 0)
    #expect(ink > 5_000)
  }

  @Test(arguments: [1, 4]) func `tesseract reads nine of ten words of a JPEG`(page: Int) throws {
    let picture = ScenePicture(
      page: page, turn: .none, number: 1, size: FrameSize(width: 1920, height: 1080))
    let read = try ScenePicture.run(
      "tesseract", [], input: picture.jpeg(quality: 90), ["stdout", "-l", "eng"])
    var found: [String: Int] = [:]
    for word in words(of: String(decoding: read, as: UTF8.self)) { found[word, default: 0] += 1 }
    let expected = words(of: BookPage.numbered(page).words.joined(separator: " "))
    var count = 0
    for word in expected where found[word, default: 0] > 0 {
      found[word, default: 0] -= 1
      count += 1
    }
    #expect(expected.count >= 80)
    #expect(count * 10 >= expected.count * 9, "\(count) of \(expected.count) words")
  }

  private func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter }.map(String.init)
  }
}
