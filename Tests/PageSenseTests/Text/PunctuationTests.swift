import Testing

@testable import PageSense

/// The counting of marks after words, and of those that stand where marks do upside down.
@Suite struct PunctuationTests {
  /// Words of three letters of 10 pixels, each with a mark.
  ///
  /// - Parameter mark: the place of a mark of 3 pixels from the word's top left corner.
  private func words(_ count: Int, mark: (x: Int, y: Int)) -> [PixelBox] {
    (0..<count).flatMap { word in
      let left = 100 + 60 * word
      return (0..<3).map { PixelBox(x: left + 11 * $0, y: 100, width: 9, height: 10) }
        + [PixelBox(x: left + mark.x, y: 100 + mark.y, width: 3, height: 3)]
    }
  }

  private func upsideDown(_ boxes: [PixelBox]) -> [PixelBox] {
    boxes.map {
      PixelBox(x: 2000 - $0.right, y: 200 - $0.bottom, width: $0.width, height: $0.height)
    }
  }

  @Test func `periods stand at the foot of words, and at their head upside down`() {
    let text = words(10, mark: (x: 33, y: 8))
    let upright = Punctuation(text, letterHeight: 10)
    #expect((upright.feet, upright.heads) == (10, 0))
    #expect(!upright.contradict(isUpsideDown: false))
    #expect(upright.contradict(isUpsideDown: true))
    let turned = Punctuation(upsideDown(text), letterHeight: 10)
    #expect((turned.feet, turned.heads) == (0, 10))
    #expect(turned.contradict(isUpsideDown: false))
    #expect(!turned.contradict(isUpsideDown: true))
  }

  @Test func `opening quotation marks contradict nothing beside some periods`() {
    let text =
      words(3, mark: (x: 33, y: 8))
      + words(15, mark: (x: -5, y: 0))
      .map { PixelBox(x: $0.x, y: $0.y + 40, width: $0.width, height: $0.height) }
    let marks = Punctuation(text, letterHeight: 10)
    #expect((marks.feet, marks.heads) == (3, 15))
    #expect(!marks.contradict(isUpsideDown: false))
  }

  @Test func `the dot of an i and a mark between letters are none`() {
    for place in [(x: 3, y: -5), (x: 14, y: -5), (x: 8, y: 8)] {
      let marks = Punctuation(words(10, mark: place), letterHeight: 10)
      #expect((marks.feet, marks.heads) == (0, 0), "\(place)")
    }
  }

  @Test func `marks of letters that fell to pieces contradict nothing`() {
    let text = words(10, mark: (x: 33, y: 8))
    for (pieces, isTold) in [(0, true), (12, false)] {
      let beside = (0..<pieces).map { PixelBox(x: 100 + 40 * $0, y: 300, width: 5, height: 6) }
      let marks = Punctuation(text + beside, letterHeight: 10)
      #expect(marks.contradict(isUpsideDown: true) == isTold, "\(marks.shareOfPieces)")
    }
  }

  @Test func `no letters have no marks`() {
    let marks = Punctuation([], letterHeight: 10)
    #expect(!marks.contradict(isUpsideDown: false) && !marks.contradict(isUpsideDown: true))
  }
}
