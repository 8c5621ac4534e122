import TestSupport
import Testing

@testable import Console

@Suite struct PendingInputTests {
  private func drain(_ pending: inout PendingInput) -> String {
    var bytes: [UInt8] = []
    while case .byte(let byte) = pending.take() { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func allEndsOfLinesAreOne() {
    var pending = PendingInput()
    for piece in ["a\r", "\nb\rc\nd\r\n", "\r\n"] { _ = pending.add(piece.utf8) }
    let text = drain(&pending)
    #expect(text == "a\nb\nc\nd\n\n")
  }

  @Test func whatIsTypedAheadWaitsAndCtrlCIsForTheCommand() {
    var pending = PendingInput()
    let interrupts = [
      pending.begin(follows: false), pending.add("status\nq".utf8), pending.add("x\u{3}y".utf8),
    ]
    pending.finishCommand()
    let text = drain(&pending)
    #expect(interrupts == [false, false, true] && text == "status\nqxy")
  }

  @Test func ctrlCThatCameBeforeTheCommandEndsIt() {
    var pending = PendingInput()
    let interrupts = [pending.add("a\u{3}b".utf8), pending.begin(follows: false)]
    pending.finishCommand()
    let text = drain(&pending)
    #expect(interrupts == [false, true] && text == "ab")
  }

  @Test(arguments: [(InputEnd.hangUp, true), (.idle, true), (.endOfInput, false)])
  func aCommandThatIsTakenWhileTheTerminalGoesEnds(_ end: InputEnd, _ ends: Bool) {
    var pending = PendingInput()
    pending.finish(end)
    let interrupts = pending.begin(follows: true)
    #expect(interrupts == ends)
  }

  @Test(
    arguments: [
      ("q", true, ""), ("\n\nqstatus\n", true, "status\n"), ("xq", false, "xq"),
      ("\n", false, ""), (" q", false, " q"),
    ] as [(String, Bool, String)])
  func qEndsWhatFollowsEvents(_ typed: String, _ ends: Bool, _ rest: String) {
    var pending = PendingInput()
    _ = pending.begin(follows: true)
    let interrupts = pending.add(typed.utf8)
    pending.finishCommand()
    let text = drain(&pending)
    #expect(interrupts == ends && text == rest)
  }

  @Test func theEndComesAfterWhatWaitsUnlessTheTerminalIsGone() {
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

  @Test func nothingIsLostWhateverTheOrderOfAddingTakingAndPuttingBack() {
    var random = SeededGenerator(seed: 4)
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
        // Only the byte that was taken last can be given back.
        pending.putBack(taken.removeLast())
        guard case .byte(let byte) = pending.take() else { continue }
        taken.append(byte)
      default:
        if case .byte(let byte) = pending.take() { taken.append(byte) }
      }
    }
    while case .byte(let byte) = pending.take() { taken.append(byte) }
    #expect(taken == expected && taken.count > 10_000)
  }
}
