import Devices
import Testing

/// The way up and the skew of pages whose letters are blocks of a few pixels.
@Suite struct TextReaderTests {
  /// Charles Dickens, "A Tale of Two Cities".
  private static let text = Array(
    """
    It was the best of times, it was the worst of times, it was the age of wisdom, it was the age \
    of foolishness, it was the epoch of belief, it was the epoch of incredulity
    """ + " ")

  /// The size of letters in pixels.
  private struct Letters {
    var height: Int
    /// The height of capitals and ascenders above the others, and the depth of descenders.
    var rise = 0
    var lineHeight: Int
    var space: Int
    /// Whether some words have a mark before their heads, as text upside down has.
    var hasMarksBeforeWords = false
    var width: (Character) -> Int
  }

  private func page(_ letters: Letters) -> PageFrame {
    var frame = PageFrame(level: 60, size: FrameSize(width: 1000, height: 960))
    func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ level: UInt8) {
      for y in rows {
        for x in columns { frame.bytes[y * frame.format.bytesPerRow + x] = level }
      }
    }
    fill(90..<910, 70..<890, 222)
    var index = 0
    for top in stride(from: 110, to: 840, by: letters.lineHeight) {
      var left = 130
      while left < 860 {
        let letter = Self.text[index % Self.text.count]
        index += 1
        guard letter.isLetter else {
          left += letters.space
          continue
        }
        let isFirst = index > 1 && !Self.text[(index - 2) % Self.text.count].isLetter
        if letters.hasMarksBeforeWords, isFirst, index % 3 == 0 {
          fill(left - 3..<left - 2, top..<top + 3, 60)
        }
        let above = letter.isUppercase || "bdfhklt".contains(letter) ? letters.rise : 0
        let below = "gpqy".contains(letter) ? letters.rise : 0
        let right = left + letters.width(letter)
        fill(left..<right, top - above..<top + letters.height + below, 60)
        left = right + 2
      }
    }
    return frame
  }

  @Test(arguments: [0, 180])
  func `ascenders of one pixel tell the way up`(turn: Int) throws {
    var frame = page(Letters(height: 4, rise: 1, lineHeight: 12, space: 5) { _ in 3 })
    frame.turn(by: Double(turn))
    #expect(try frame.read().textAngle == turn)
  }

  @Test(arguments: [false, true])
  func `marks before words contradict the letters`(areThere: Bool) throws {
    let frame = page(
      Letters(height: 6, rise: 2, lineHeight: 15, space: 6, hasMarksBeforeWords: areThere) { _ in 4
      }
    )
    #expect(try frame.read().textAngle == (areThere ? nil : 0))
  }

  @Test func `the lines of capitals tell the skew, and not the widths of their letters`() throws {
    var frame = page(
      Letters(height: 8, lineHeight: 14, space: 4) { letter in
        switch letter.lowercased() {
        case "i": 3
        case "e", "s": 5
        case "w", "m": 9
        default: 6
        }
      })
    frame.turn(by: 4)
    let findings = try frame.read()
    #expect(findings.textAngle == nil)
    #expect(abs((findings.skew ?? 90) + 4) < 0.1)
  }
}
