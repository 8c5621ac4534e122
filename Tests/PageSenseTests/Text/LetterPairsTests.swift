import Testing

@testable import PageSense

/// The counting of letters that stand on a line beside letters that are higher or go deeper.
@Suite struct LetterPairsTests {
  /// A line of letters by their heights above and below the body of a small letter of ten pixels.
  private func line(_ letters: [(above: Int, below: Int)], y: Int = 100) -> [PixelBox] {
    letters.enumerated().map { index, letter in
      PixelBox(
        x: 12 * index, y: y - letter.above, width: 9, height: 10 + letter.above + letter.below)
    }
  }

  private let small = (above: 0, below: 0)
  private let ascender = (above: 5, below: 0)
  private let descender = (above: 0, below: 5)

  @Test func `ascenders and descenders beside small letters are counted`() {
    let pairs = LetterPairs(
      line([small, small, small, ascender, small, small, small, descender, small, small]))
    #expect(pairs.letterHeight == 10)
    #expect(pairs.ascenders == 2)
    #expect(pairs.descenders == 2)
    #expect(pairs.excess == 0)
  }

  @Test func `text upside down has more descenders`() {
    let letters = [small, small, small, ascender, small, small, ascender, small, small, small]
    let upright = LetterPairs(line(letters))
    let turned = LetterPairs(line(letters.map { (above: $0.below, below: $0.above) }))
    #expect(upright.excess > 1)
    #expect(turned.excess == -upright.excess)
    #expect(upright.share == 0.4)
  }

  @Test func `letters of one height have no pairs`() {
    let pairs = LetterPairs(line([(above: 0, below: 0)] + Array(repeating: small, count: 20)))
    #expect(pairs.ascenders + pairs.descenders == 0)
    #expect(pairs.letterHeight == 10)
  }

  @Test func `no letters and single pixels are no text`() {
    #expect(LetterPairs([]).letterHeight == 0)
    let dust = (0..<50).map { PixelBox(x: 7 * $0, y: $0 % 3, width: 1, height: 1) }
    #expect(LetterPairs(dust).letterHeight == 0)
  }
}
