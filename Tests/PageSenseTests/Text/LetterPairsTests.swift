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

  /// The letters of a text in lines of 40 characters.
  private func letters(_ text: String, ascending: String, descending: String) -> [PixelBox] {
    let text = Array(String(repeating: text + " ", count: 20))
    return text.indices.compactMap { index in
      let letter = text[index]
      guard letter.isLetter else { return nil }
      let (above, below) = (
        letter.isUppercase || ascending.contains(letter) ? 4 : 0,
        descending.contains(letter) ? 4 : 0
      )
      return PixelBox(
        x: 12 * (index % 40), y: 100 + 30 * (index / 40) - above, width: 9,
        height: 10 + above + below)
    }
  }

  /// Charles Dickens, "A Tale of Two Cities".
  @Test func `Latin text is trusted`() {
    let pairs = LetterPairs(
      letters(
        """
        It was the best of times, it was the worst of times, it was the age of wisdom, it was the \
        age of foolishness, it was the epoch of belief, it was the epoch of incredulity
        """, ascending: "bdfhklt", descending: "gpqy"))
    #expect(pairs.excess > 0)
    #expect(pairs.trust(beside: LetterPairs([])) >= 1)
  }

  /// Leo Tolstoy, "Anna Karenina", whose letters look like Latin text that is upside down.
  @Test func `Cyrillic text is not trusted`() {
    let pairs = LetterPairs(
      letters(
        """
        Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива \
        по-своему. Все смешалось в доме Облонских.
        """, ascending: "бф", descending: "руфщц"))
    #expect(pairs.excess < 0)
    #expect(pairs.trust(beside: LetterPairs([])) < 1)
  }
}
