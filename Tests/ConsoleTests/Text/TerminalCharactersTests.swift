import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct TerminalCharactersTests {
  @Test(
    arguments: [
      ([:], .ascii), (["LANG": "C.UTF-8"], .unicode), (["LANG": "en_GB.utf8"], .unicode),
      (["LANG": "C"], .ascii), (["LANG": "de_DE@euro"], .ascii), (["LANG": "POSIX"], .ascii),
      (["LC_ALL": "C", "LANG": "C.UTF-8"], .ascii),
      (["LC_ALL": "", "LC_CTYPE": "UTF-8", "LANG": "C"], .unicode),
      (["LC_CTYPE": "", "LANG": "de_DE.UTF-8@euro"], .unicode),
      (["LC_CTYPE": "C", "LANG": "C.UTF-8"], .ascii),
    ] as [([String: String], TerminalCharacters)])
  func `the environment tells a terminal's characters`(
    _ environment: [String: String], _ characters: TerminalCharacters
  ) {
    #expect(TerminalCharacters.of(environment: environment) == characters)
  }

  @Test(arguments: [
    ("plain", "plain"), ("84.5 °C", "84.5 deg C"), ("°C", "deg C"),
    ("90°, EXIF 6", "90 deg, EXIF 6"),
    ("error °", "error deg"), ("failed 3×", "failed 3x"), ("9.81 m/s²", "9.81 m/s2"),
    ("abc…", "abc~"), ("Zürich", "Z\\u{FC}rich"), ("長", "\\u{9577}"),
    // The program's own escape sequences pass through.
    ("\u{1B}[2J\u{8}é\r\n", "\u{1B}[2J\u{8}\\u{E9}\r\n"),
  ])
  func `text that is not ASCII is replaced`(_ text: String, _ shown: String) {
    #expect(TerminalCharacters.ascii.plain(text) == shown)
    #expect(TerminalCharacters.unicode.plain(text) == text)
    let bytes = TerminalCharacters.ascii.plain(Array(text.utf8))
    #expect(bytes == Array(shown.utf8))
  }

  @Test func `the columns of a table keep their places`() {
    let table = TextTable(
      ["name", .right("°C"), "end"],
      [["a long enough name", "84.5", "yes"], ["Zürich", "7.0", "no"]])
    let lines = table.lines(width: 80).map(TerminalCharacters.ascii.plain)
    let gaps = [18, 10].map { String(repeating: " ", count: $0) }
    #expect(
      lines == [
        "name\(gaps[0])deg C end", "a long enough name  84.5  yes",
        "Z\\u{FC}rich\(gaps[1])7.0  no",
      ])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any shown text is ASCII and fits`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = String(
        (0..<Int.random(in: 0..<100, using: &generator)).map { _ in
          "ab é長°…²×😀\u{301}\u{9B}\u{202E}  ".randomElement(using: &generator) ?? "x"
        })
      let escaped = PlainText.escaping(text)
      let lines = TerminalCharacters.ascii.lines(text, columns: max(20, PlainText.columns(escaped)))
      for line in lines {
        #expect(line.utf8.allSatisfy { 0x20..<0x7F ~= $0 }, "\(text)")
        #expect(line.utf8.count <= max(20, PlainText.columns(escaped)), "\(text)")
      }
      #expect(TerminalCharacters.unicode.lines(text, columns: 20) == [escaped])
    }
  }

  @Test func `JSON stays the same JSON`() throws {
    let json = #"{"a":"é 😀 \"x\"","b":1}"#
    let plain = TerminalCharacters.ascii.json(json)
    #expect(plain == #"{"a":"\u00E9 \uD83D\uDE00 \"x\"","b":1}"#)
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(plain.utf8))
    let expected = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    #expect(value == expected)
    #expect(TerminalCharacters.unicode.json(json) == json)
  }

  @Test func `a bar stays in its line`() {
    let recording = Recording()
    let line = ProgressLine(recording.descriptor, kind: .editing, characters: .ascii)
    line.show("Zürich")
    line.show(String(repeating: "é", count: 30))
    #expect(recording.text.hasPrefix("\rZ\\u{FC}rich\r\\u{E9}\\u{E9}"))
    let bars = recording.text.split(separator: "\r")
    #expect(bars.allSatisfy { $0.utf8.count <= 79 } && bars.last?.hasSuffix("~") == true)
  }
}
