import Testing

@testable import Upload

@Suite struct TusMachineTests {
  private typealias Action = TusMachine.Action

  private func state(_ session: String = "u", isFinalSent: Bool = false) -> ResumeState {
    ResumeState(kind: "tus", session: session, isFinalSent: isFinalSent)
  }

  @Test func `an upload to a server that takes a byte at a time is left for a later attempt`() {
    var machine = TusMachine(byteCount: 1000, patchByteCount: 400)
    _ = machine.begin(nil)
    _ = machine.created("u")
    var action = machine.kept()
    var count: Int64 = 0
    while case .send("u", let range) = action, count < 1000 {
      count += 1
      action = machine.sent(offset: range.lowerBound + 1)
      if case .keep = action { action = machine.kept() }
    }
    #expect(action == .giveUp(.creeps))
    #expect(count == 48)
  }

  @Test func `the upload is kept before its first bytes and its last`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    #expect(machine.begin(nil) == .create)
    #expect(machine.created("u") == .keep(state()))
    #expect(machine.kept() == .send(url: "u", 0..<100))
    #expect(machine.sent(offset: 100) == .send(url: "u", 100..<200))
    #expect(machine.sent(offset: 200) == .keep(state(isFinalSent: true)))
    #expect(machine.kept() == .send(url: "u", 200..<250))
    #expect(machine.sent(offset: 250) == .finish(url: "u", isDuplicate: false))
  }

  @Test(arguments: [0, 1, 100])
  func `an item of one request is kept once`(byteCount: Int64) {
    var machine = TusMachine(byteCount: byteCount, patchByteCount: 100)
    _ = machine.begin(nil)
    #expect(machine.created("u") == .keep(state(isFinalSent: true)))
    #expect(machine.kept() == .send(url: "u", 0..<byteCount))
    #expect(machine.sent(offset: byteCount) == .finish(url: "u", isDuplicate: false))
  }

  @Test func `an upload continues at the server's offset`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    #expect(machine.begin(state()) == .ask(url: "u"))
    #expect(machine.found(offset: 37, length: 250) == .send(url: "u", 37..<137))
    // A server may keep fewer bytes than were sent.
    #expect(machine.sent(offset: 90) == .send(url: "u", 90..<190))
    #expect(machine.sent(offset: 190) == .keep(state(isFinalSent: true)))
  }

  @Test func `a complete upload is not sent again`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state(isFinalSent: true))
    #expect(machine.found(offset: 250, length: nil) == .finish(url: "u", isDuplicate: true))
  }

  @Test func `the state before the last bytes is kept only once`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state(isFinalSent: true))
    #expect(machine.found(offset: 200, length: 250) == .send(url: "u", 200..<250))
  }

  @Test(arguments: [(-1, 250), (251, 250), (0, 249), (10, 251)])
  func `an upload of another item is abandoned`(offset: Int64, length: Int64) {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state())
    #expect(machine.found(offset: offset, length: length) == .create)
  }

  @Test func `a forgotten upload is restarted twice`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state(isFinalSent: true))
    #expect(machine.uploadIsGone() == .create)
    #expect(machine.created("v") == .keep(state("v")))
    #expect(machine.kept() == .send(url: "v", 0..<100))
    #expect(machine.uploadIsGone() == .create)
    _ = machine.created("w")
    _ = machine.kept()
    #expect(machine.uploadIsGone() == .giveUp(.forgets))
  }

  @Test func `the offset is asked for after a wrong place but not for ever`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state())
    _ = machine.found(offset: 0, length: 250)
    #expect(machine.placeIsWrong() == .ask(url: "u"))
    #expect(machine.found(offset: 50, length: 250) == .send(url: "u", 50..<150))
    #expect(machine.placeIsWrong() == .ask(url: "u"))
    _ = machine.found(offset: 50, length: 250)
    #expect(machine.placeIsWrong() == .giveUp(.contradictsItself))
  }

  @Test func `contradictions do not add up when the upload makes progress`() {
    var machine = TusMachine(byteCount: 1000, patchByteCount: 100)
    _ = machine.begin(state())
    _ = machine.found(offset: 0, length: 1000)
    for offset: Int64 in [100, 200, 300, 400] {
      #expect(machine.placeIsWrong() == .ask(url: "u"))
      _ = machine.found(offset: offset - 100, length: 1000)
      #expect(machine.sent(offset: offset) == .send(url: "u", offset..<offset + 100))
    }
  }

  @Test(arguments: [0, 49, 50, 151])
  func `an impossible offset in an answer is a contradiction`(offset: Int64) {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state())
    _ = machine.found(offset: 50, length: 250)
    #expect(machine.sent(offset: offset) == .ask(url: "u"))
  }

  @Test func `damaged bytes are sent again but not for ever`() {
    var machine = TusMachine(byteCount: 250, patchByteCount: 100)
    _ = machine.begin(state())
    _ = machine.found(offset: 0, length: 250)
    for _ in 0..<2 {
      #expect(machine.arrivedDamaged() == .ask(url: "u"))
      #expect(machine.found(offset: 0, length: 250) == .send(url: "u", 0..<100))
    }
    #expect(machine.arrivedDamaged() == .giveUp(.damages))
  }
}
