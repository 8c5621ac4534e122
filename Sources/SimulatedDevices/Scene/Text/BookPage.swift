/// A typeset page of the book: the words, and the place of each letter.
///
/// Positions are in bitmap pixels of ``Typeface/book``, from the top left of the page's text. So
/// lines break at the same words in every size.
struct BookPage: Sendable {
  /// A letter with the position of the pen, at the ascender line.
  struct Letter: Sendable {
    let character: UInt8
    let x: Int
    let y: Int
  }

  /// The words in the order of reading.
  private(set) var words: [String] = []
  /// The letters of the words.
  private(set) var letters: [Letter] = []

  /// Returns the page of a number; after the last page, the book restarts.
  static func numbered(_ number: Int) -> BookPage {
    let index = (number - 1) % all.count
    return all[index < 0 ? index + all.count : index]
  }

  /// Sets the number of a page at the middle of a line.
  static func number(_ number: Int, y: Int) -> [Letter] {
    let text = "- \(number) -"
    var page = BookPage()
    page.set([text], from: (width - Typeface.book.width(of: text)) / 2, y: y, gaps: [])
    return page.letters
  }

  /// The width of a line in bitmap pixels.
  private static let width = PageSceneLayout.bitmapPixels(
    PageSceneLayout.text.right - PageSceneLayout.text.left)
  /// The distance between lines in bitmap pixels.
  private static let pitch = Typeface.em * 21 / 16
  private static let lineCount =
    PageSceneLayout.bitmapPixels(PageSceneLayout.text.bottom - PageSceneLayout.text.top) / pitch

  private static let all: [BookPage] = {
    var pages = [BookPage()]
    var line = 0
    for paragraph in BookText.paragraphs {
      var rest = paragraph[...]
      while !rest.isEmpty {
        if line == lineCount {
          pages.append(BookPage())
          line = 0
        }
        let indent = rest.startIndex == 0 ? Typeface.em * 3 / 2 : 0
        pages[pages.count - 1].setLine(of: &rest, indent: indent, y: line * pitch)
        line += 1
      }
    }
    return pages
  }()

  /// Sets as many words as fit, and spreads them over the line unless they end a paragraph.
  private mutating func setLine(of rest: inout ArraySlice<String>, indent: Int, y: Int) {
    let blank = Typeface.book[UInt8(ascii: " ")].advance
    var room = BookPage.width - indent
    var line: [String] = []
    while let word = rest.first {
      let needed = Typeface.book.width(of: word) + (line.isEmpty ? 0 : blank)
      guard needed <= room || line.isEmpty else { break }
      room -= needed
      line.append(word)
      rest.removeFirst()
    }
    let count = line.count - 1
    let gaps = (0..<max(count, 0)).map { index in
      rest.isEmpty ? blank : blank + room * (index + 1) / count - room * index / count
    }
    set(line, from: indent, y: y, gaps: gaps)
  }

  private mutating func set(_ line: [String], from x: Int, y: Int, gaps: [Int]) {
    var x = x
    for (index, word) in line.enumerated() {
      for character in word.utf8 {
        letters.append(Letter(character: character, x: x, y: y))
        x += Typeface.book[character].advance
      }
      if index < gaps.count { x += gaps[index] }
    }
    words += line
  }
}
