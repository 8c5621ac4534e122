import TestSupport
import Testing

@testable import Console

@Suite struct LineAssemblerTests {
  /// Returns the lines from bytes on a pipe or a dumb terminal.
  private func results(
    _ bytes: [UInt8], echoes: Bool = false, endsOnControlD: Bool = false, limit: Int = 4096
  ) -> [LineResult] {
    var assembler = LineAssembler(
      echoes: echoes, endsOnControlD: endsOnControlD, maximumBytes: limit)
    return bytes.compactMap { assembler.take($0).result } + [assembler.end(.endOfInput)]
  }

  @Test func `lines are cut and the last one needs no end`() {
    #expect(
      results(Array("a b\n\nc".utf8))
        == [.line("a b"), .line(""), .line("c")])
    #expect(results(Array("a\n".utf8)) == [.line("a"), .ended(.endOfInput)])
  }

  @Test func `a line of the maximum length is taken and a longer one is refused`() {
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    #expect(
      results(longest + Array("\n".utf8) + longest + Array("xyz\nstatus\n".utf8))
        == [
          .line(String(repeating: "x", count: 4096)), .refused(LineAssembler.tooLong),
          .line("status"), .ended(.endOfInput),
        ])
  }

  @Test(
    arguments: [
      [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xE2, 0x82], [0xC3, 0x28],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused and the next line is taken`(_ bytes: [UInt8]) {
    #expect(
      results(Array("a".utf8) + bytes + Array("\nb\n".utf8))
        == [.refused(LineAssembler.notUTF8), .line("b"), .ended(.endOfInput)])
  }

  @Test func `random bytes are UTF-8 when the standard library says so`() {
    var random = TestSeed.generator()
    var (good, bad) = (0, 0)
    for _ in 0..<20_000 {
      let pool: [UInt8] = [0x41, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80, 0xED, 0xBF]
      let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        pool.randomElement(using: &random) ?? 0x41
      }
      let expected = String(validating: bytes, as: UTF8.self)
      let result = results(bytes + [0x0A]).first
      #expect(result == expected.map { .line($0) } ?? .refused(LineAssembler.notUTF8), "\(bytes)")
      if expected == nil { bad += 1 } else { good += 1 }
    }
    #expect(good > 1000 && bad > 1000)
  }

  @Test func `a dumb terminal shows the typed text and no escape sequence`() {
    var assembler = LineAssembler(echoes: true)
    var screen = ""
    var result: [LineResult] = []
    for byte in Array("stx\u{7F}\u{1B}[Aatus\u{15}é\u{8}ok\n".utf8) {
      let step = assembler.take(byte)
      screen += step.echo
      if let line = step.result { result.append(line) }
    }
    // The escape character stays in the line until Ctrl-U removes it; it is never echoed.
    #expect(result == [.line("ok")])
    #expect(screen.hasPrefix("stx\u{8} \u{8}[Aatus") && screen.hasSuffix("é\u{8} \u{8}ok\n"))
    #expect(!screen.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `control keys end a line or the console`() {
    #expect(results([0x04], echoes: true).first == .ended(.endOfInput))
    #expect(results(Array("a\u{4}b\n".utf8), echoes: true).first == .line("ab"))
    #expect(
      results(Array("abc\u{3}d\n".utf8), echoes: true).prefix(2) == [.interrupted, .line("d")])
    // On a pipe these keys are only characters, which the splitter refuses.
    #expect(results(Array("a\u{3}\n".utf8)).first == .line("a\u{3}"))
    #expect(results(Array("\u{4}\n".utf8)).first == .line("\u{4}"))
    // A program on a terminal has no other end.
    let typed = results(Array("a\u{4}\n\u{4}".utf8), endsOnControlD: true)
    #expect(typed.prefix(2) == [.line("a\u{4}"), .ended(.endOfInput)])
  }
}
