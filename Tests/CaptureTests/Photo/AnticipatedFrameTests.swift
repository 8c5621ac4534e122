import Devices
import Testing

@testable import Capture

@Suite struct AnticipatedFrameTests {
  /// Returns a bench with an anticipation whose frame is awaited.
  private func waiting() throws -> (PhotoOutputBench, Anticipation) {
    var bench = PhotoOutputBench()
    let begun = bench.anticipate()
    return (bench, try #require(begun))
  }

  /// Returns a bench with an anticipation whose frame is being leased.
  private func leasing() throws -> (PhotoOutputBench, Anticipation) {
    var (bench, anticipation) = try waiting()
    _ = bench.frame(2)
    try #require(bench.wanted.map(\.frame.id) == [2])
    return (bench, anticipation)
  }

  private let photo = [
    "frame chosen", "record 1", "step of 1", "step of 1", "photo 1 of frame 2",
  ]

  @Test func `a press takes over the wait`() throws {
    var (bench, anticipation) = try waiting()
    _ = bench.admit(1)
    let given = bench.give(anticipation, to: 1)
    #expect(given.isEmpty)
    _ = bench.frame(2)
    let leased = bench.lease()
    #expect(leased == photo)
  }

  @Test func `a press that took over the wait ends at its deadline`() throws {
    var (bench, anticipation) = try waiting()
    _ = bench.admit(1)
    _ = bench.give(anticipation, to: 1)
    let end = bench.advance(to: 410)
    #expect(end == ["end 1: noFrameInTime", "step of 1", "answer to 0", "free"])
    #expect(bench.output.isIdle)
  }

  @Test func `a press during the lease gets the frame`() throws {
    var (bench, anticipation) = try leasing()
    _ = bench.admit(1)
    let given = bench.give(anticipation, to: 1)
    #expect(given.isEmpty)
    let second = bench.anticipate(at: 260)
    #expect(second == nil, "the first lasts until its frame is leased")
    let leased = bench.lease()
    #expect(leased == photo)
    let third = bench.anticipate(at: 260)
    #expect(third != nil)
  }

  @Test func `a press gets the held frame at once`() throws {
    var (bench, anticipation) = try leasing()
    let leased = bench.lease()
    #expect(leased.isEmpty && bench.leaseCount == 1)
    _ = bench.admit(1)
    let given = bench.give(anticipation, to: 1)
    #expect(given == photo)
  }

  @Test func `a withdrawn wait asks for no frame`() throws {
    var (bench, anticipation) = try waiting()
    #expect(bench.output.needsLight)
    bench.output.withdraw(anticipation)
    #expect(bench.output.isIdle && !bench.output.needsLight)
    _ = bench.frame(2)
    #expect(bench.wanted.isEmpty && bench.output.requests.isEmpty)
  }

  @Test func `a withdrawn lease returns its frame, though another is anticipated`() throws {
    var (bench, anticipation) = try leasing()
    bench.output.withdraw(anticipation)
    let other = bench.anticipate(at: 260)
    #expect(other != nil && other != anticipation)
    let leased = bench.lease()
    #expect(leased.isEmpty && bench.leaseCount == 0)
    _ = bench.frame(3)
    _ = bench.lease(at: 310)
    #expect(bench.leaseCount == 1, "the other one has its own frame")
  }

  @Test func `a withdrawn frame is returned, and the press gets none`() throws {
    var (bench, anticipation) = try leasing()
    _ = bench.lease()
    bench.output.withdraw(anticipation)
    #expect(bench.leaseCount == 0 && bench.output.isIdle)
    _ = bench.admit(1)
    let given = bench.give(anticipation, to: 1)
    #expect(given == ["end 1: noFrameInTime", "step of 1", "answer to 0", "free"])
  }

  @Test func `a withdrawal after the press takes no frame from it`() throws {
    var (bench, anticipation) = try leasing()
    _ = bench.admit(1)
    _ = bench.give(anticipation, to: 1)
    bench.output.withdraw(anticipation)
    let leased = bench.lease()
    #expect(leased == photo)
  }

  @Test func `the end of the stream ends the wait`() throws {
    var (bench, anticipation) = try waiting()
    let end = bench.endStream()
    #expect(end.isEmpty && bench.output.isIdle)
    _ = bench.admit(1)
    let given = bench.give(anticipation, to: 1)
    #expect(given.first == "end 1: noFrameInTime")
  }

  @Test func `a lease may succeed or fail after the end of the stream`() throws {
    for succeeds in [true, false] {
      var (bench, anticipation) = try leasing()
      let end = bench.endStream()
      #expect(end.isEmpty && !bench.output.isIdle)
      let answer = succeeds ? bench.lease() : bench.loseFrame()
      #expect(answer.isEmpty)
      _ = bench.admit(1)
      let given = bench.give(anticipation, to: 1)
      #expect(given.last == (succeeds ? "photo 1 of frame 2" : "free"))
    }
  }

  @Test func `a failed lease ends the press that came meanwhile`() throws {
    var (bench, anticipation) = try leasing()
    _ = bench.admit(1)
    _ = bench.give(anticipation, to: 1)
    _ = bench.endStream()
    let lost = bench.loseFrame()
    #expect(lost == ["end 1: frameOverwritten", "step of 1", "answer to 0", "free"])
    #expect(bench.output.isIdle)
  }

  @Test func `a press ended during the lease leaves no anticipation behind`() throws {
    var (bench, anticipation) = try leasing()
    _ = bench.admit(1)
    _ = bench.give(anticipation, to: 1)
    let end = bench.abandonAll()
    #expect(end.first == "end 1: sessionNotRunning")
    let leased = bench.lease()
    #expect(leased.isEmpty && bench.leaseCount == 0 && bench.output.isIdle)
  }
}
