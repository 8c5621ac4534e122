import TestSupport
import Testing

@testable import Console

@Suite struct PendingInputTests {
  private func drain(_ pending: inout PendingInput) -> String {
    var bytes: [UInt8] = []
    while case .byte(let byte) = pending.take() { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `all line endings become one`() {
    var pending = PendingInput()
    for piece in ["a\r", "\nb\rc\nd\r\n", "\r\n"] { _ = pending.add(piece.utf8) }
    let text = drain(&pending)
    #expect(text == "a\nb\nc\nd\n\n")
  }

  @Test func `input typed ahead waits and Ctrl-C is for the command`() {
    var pending = PendingInput()
    let interrupts = [
      pending.begin(endsOn: .nothing), pending.add("status\nq".utf8),
      pending.add("x\u{3}y".utf8),
    ]
    pending.finishCommand()
    let text = drain(&pending)
    #expect(interrupts == [false, false, true] && text == "status\nqxy")
  }

  @Test func `an early Ctrl-C ends the command`() {
    var pending = PendingInput()
    let interrupts = [pending.add("a\u{3}b".utf8), pending.begin(endsOn: .nothing)]
    pending.finishCommand()
    let text = drain(&pending)
    #expect(interrupts == [false, true] && text == "ab")
  }

  @Test(arguments: [(InputEnd.hangUp, true), (.idle, true), (.endOfInput, false)])
  func `a command that starts while the terminal is lost ends`(_ end: InputEnd, _ ends: Bool) {
    var pending = PendingInput()
    pending.finish(end)
    let interrupts = pending.begin(endsOn: .key)
    #expect(interrupts == ends)
  }

  @Test(
    arguments: [
      ("q", true, ""), ("\n\nqstatus\n", true, "status\n"), ("xq", false, "xq"),
      ("\n", false, ""), (" q", false, " q"),
    ] as [(String, Bool, String)])
  func `q ends a command that follows events`(_ typed: String, _ ends: Bool, _ rest: String) {
    var pending = PendingInput()
    _ = pending.begin(endsOn: .key)
    let interrupts = pending.add(typed.utf8)
    pending.finishCommand()
    let text = drain(&pending)
    #expect(interrupts == ends && text == rest)
  }

  /// The input comes byte by byte, as typed, and at once, as pasted before the command begins.
  @Test(
    arguments: [
      ("q\n", true, ""), ("\n\nq\nstatus\n", true, "status\n"), ("queue\n", false, "queue\n"),
      ("q", false, "q"), ("q \n", false, "q \n"), ("xq\n", false, "xq\n"),
    ] as [(String, Bool, String)])
  func `a line of q ends a command with an end of its own`(
    _ typed: String, _ ends: Bool, _ rest: String
  ) {
    var slow = PendingInput()
    _ = slow.begin(endsOn: .line)
    let interrupts = typed.utf8.map { slow.add([$0]) }.contains(true)
    slow.finishCommand()
    let left = drain(&slow)
    #expect(interrupts == ends && left == rest)
    var fast = PendingInput()
    _ = fast.add(typed.utf8)
    let interruptsAtOnce = fast.begin(endsOn: .line)
    fast.finishCommand()
    let text = drain(&fast)
    #expect(interruptsAtOnce == ends && text == rest)
  }

  @Test func `input that was put aside is no answer and comes after it`() {
    var pending = PendingInput()
    _ = pending.add("xearly\nst".utf8)
    let first = pending.take()
    pending.setAside()
    let (count, none) = (pending.count, pending.take())
    _ = pending.add("ab".utf8)
    let answer = [pending.take(), pending.take()]
    _ = pending.add("atus\n".utf8)
    pending.bringBack()
    let text = drain(&pending)
    #expect(first == .byte(UInt8(ascii: "x")) && count == 0 && none == nil)
    #expect(answer == [.byte(UInt8(ascii: "a")), .byte(UInt8(ascii: "b"))])
    #expect(text == "early\nstatus\n")
    _ = pending.add("late".utf8)
    pending.setAside()
    pending.finish(.hangUp)
    pending.bringBack()
    let end = pending.take()
    #expect(end == .end(.hangUp), "of a terminal that is gone nothing is left")
  }

  @Test func `the end comes after waiting input unless the terminal is lost`() {
    var pending = PendingInput()
    _ = pending.add("a".utf8)
    pending.finish(.endOfInput)
    let items = [pending.take(), pending.take()]
    #expect(items == [.byte(UInt8(ascii: "a")), .end(.endOfInput)])
    var gone = PendingInput()
    _ = gone.add("a".utf8)
    gone.finish(.hangUp)
    let next = gone.take()
    #expect(next == .end(.hangUp))
  }

  @Test func `no byte is lost in any order of adding, taking and putting back`() {
    var random = TestSeed.generator()
    var pending = PendingInput()
    var (expected, taken) = ([UInt8](), [UInt8]())
    for _ in 0..<50_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
          UInt8.random(in: 0x20...0x7E, using: &random)
        }
        expected += bytes
        _ = pending.add(bytes)
      case 1 where !taken.isEmpty:
        // Only the byte that was taken last can be put back.
        pending.putBack(taken.removeLast())
        guard case .byte(let byte) = pending.take() else { continue }
        taken.append(byte)
      default:
        if case .byte(let byte) = pending.take() { taken.append(byte) }
      }
    }
    while case .byte(let byte) = pending.take() { taken.append(byte) }
    #expect(taken == expected && taken.count > 10_000, "seed \(TestSeed.value)")
  }
}
