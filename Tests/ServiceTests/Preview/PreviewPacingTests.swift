import Devices
import Testing

@testable import Service

@Suite struct PreviewPacingTests {
  private let small = FrameSize(width: 320, height: 240)
  private let large = FrameSize(width: 1280, height: 960)
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func at(_ milliseconds: Int) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  /// Returns a pacing with viewers of a size that wait, ten pictures a second each.
  private func pacing(_ viewers: [Int: FrameSize]) -> PreviewPacing {
    var pacing = PreviewPacing()
    for (number, size) in viewers {
      pacing.join(number, within: size, every: .milliseconds(100), at: start)
      _ = pacing.wait(number)
    }
    return pacing
  }

  /// Makes the pictures that are due, at once, and returns who gets one.
  private func shoot(
    _ pacing: inout PreviewPacing, _ frame: UInt64, at milliseconds: Int
  ) -> [Int] {
    pacing.frameCame(frame)
    let due = pacing.due(at: at(milliseconds))
    guard !due.isEmpty else { return [] }
    return pacing.made(frame, within: due, began: at(milliseconds), ended: at(milliseconds))
      .keys.sorted()
  }

  @Test func `nothing is made while nobody waits`() {
    var pacing = PreviewPacing()
    #expect(pacing.isEmpty && pacing.due(at: start).isEmpty)
    pacing.join(1, within: small, every: .milliseconds(100), at: start)
    #expect(!pacing.isEmpty && pacing.due(at: start).isEmpty)
    #expect(pacing.wait(1) == true)
    #expect(pacing.due(at: start) == [small])
    #expect(pacing.wait(2) == false, "an unknown viewer gets nothing")
    pacing.leave(1)
    #expect(pacing.isEmpty && pacing.due(at: start).isEmpty)
    #expect(pacing.wait(1) == false)
  }

  @Test func `all viewers of a size get the same picture`() {
    var pacing = pacing([1: small, 2: small, 3: large])
    pacing.frameCame(7)
    #expect(pacing.due(at: start) == [small, large])
    let served = pacing.made(7, within: [small, large], began: start, ended: start)
    #expect(served == [1: small, 2: small, 3: large])
    #expect(pacing.due(at: at(1000)).isEmpty)
  }

  @Test func `a viewer that does not read loses pictures and no other viewer does`() {
    var pacing = pacing([1: small, 2: small])
    #expect(shoot(&pacing, 1, at: 0) == [1, 2])
    for frame in 2...9 {
      _ = pacing.wait(1)
      #expect(shoot(&pacing, UInt64(frame), at: frame * 100) == [1])
    }
    _ = (pacing.wait(1), pacing.wait(2))
    #expect(shoot(&pacing, 10, at: 1000) == [1, 2])
  }

  @Test func `a frame is shown once`() {
    var pacing = pacing([1: small])
    #expect(shoot(&pacing, 5, at: 0) == [1])
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 5, at: 500) == [])
    #expect(shoot(&pacing, 6, at: 501) == [1])
    // A camera that was exchanged may count anew.
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 1, at: 700) == [1])
  }

  /// An exposure of seconds must not look like an outage.
  @Test func `the newest frame is shown again after two seconds`() {
    var pacing = pacing([1: small])
    #expect(shoot(&pacing, 5, at: 0) == [1])
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 5, at: 1999) == [])
    #expect(shoot(&pacing, 5, at: 2000) == [1])
  }

  /// Thirty frames a second, for viewers of ten and of fifteen pictures.
  @Test(arguments: [(100, 10), (66, 15)])
  func `a viewer gets its rate although frames come between`(interval: Int, wanted: Int) {
    var pacing = PreviewPacing()
    pacing.join(1, within: small, every: .milliseconds(interval), at: start)
    var count = 0
    for frame in 0..<300 {
      _ = pacing.wait(1)
      // A frame is some milliseconds early or late.
      let time = frame * 1000 / 30 + [0, 3, -2, 1, -3][frame % 5]
      count += shoot(&pacing, UInt64(frame), at: time).count
    }
    #expect(abs(count - wanted * 10) <= 3, "\(count)")
  }

  @Test func `a late viewer gets no burst`() {
    var pacing = pacing([1: small])
    #expect(shoot(&pacing, 1, at: 0) == [1])
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 2, at: 5000) == [1])
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 3, at: 5001) == [1], "the one that it waited for")
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 4, at: 5050) == [])
    #expect(shoot(&pacing, 5, at: 5101) == [1])
  }

  @Test func `the maker rests as long as it worked, and as the heat requires`() {
    var pacing = pacing([1: small])
    _ = pacing.made(1, within: [small], began: start, ended: at(300))
    _ = pacing.wait(1)
    pacing.frameCame(2)
    #expect(pacing.due(at: at(599)).isEmpty)
    #expect(pacing.due(at: at(600)) == [small])
    _ = pacing.made(
      2, within: [small], began: at(600), ended: at(610), pause: .milliseconds(500))
    _ = pacing.wait(1)
    pacing.frameCame(3)
    #expect(pacing.due(at: at(1099)).isEmpty)
    #expect(pacing.due(at: at(1100)) == [small])
  }

  @Test func `an outage ends a new viewer at once and others after five seconds`() {
    var pacing = pacing([1: small])
    #expect(shoot(&pacing, 1, at: 0) == [1])
    #expect(pacing.outage(at: at(3000)) == [])
    pacing.join(2, within: small, every: .milliseconds(100), at: at(3100))
    #expect(pacing.outage(at: at(3100)) == [2])
    #expect(pacing.outage(at: at(7999)) == [])
    #expect(pacing.outage(at: at(8000)) == [1])
    #expect(pacing.isEmpty)
  }

  @Test func `a frame ends an outage`() {
    var pacing = pacing([1: small])
    #expect(shoot(&pacing, 1, at: 0) == [1])
    #expect(pacing.outage(at: at(1000)) == [])
    _ = pacing.wait(1)
    #expect(shoot(&pacing, 2, at: 2000) == [1])
    #expect(pacing.outage(at: at(6500)) == [])
    #expect(pacing.outage(at: at(11_500)) == [1])
  }

  @Test func `presses end only a viewer that never got a picture`() {
    var pacing = pacing([1: small])
    #expect(shoot(&pacing, 1, at: 0) == [1])
    pacing.join(2, within: small, every: .milliseconds(100), at: at(1000))
    #expect(pacing.busy(at: at(5999)) == [])
    #expect(pacing.busy(at: at(6000)) == [2])
    #expect(pacing.busy(at: at(600_000)) == [])
    #expect(pacing.endAll() == [1])
    #expect(pacing.isEmpty)
  }
}
