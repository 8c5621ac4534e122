import Devices
import Testing

@testable import API

@Suite struct NameMemoryTests {
  private let start = MonotonicInstant(nanoseconds: 0)

  private func after(_ duration: Duration) -> MonotonicInstant { start.advanced(by: duration) }

  @Test func `a known name is not looked up`() {
    var memory = NameMemory(timeout: .seconds(1))
    let first = memory.step(for: 7, at: start)
    let second = memory.step(for: 7, at: start)
    #expect(first == .ask && second == .wait)
    memory.learn("scan", of: 7, at: start)
    let known = memory.step(for: 7, at: after(.seconds(59)))
    let old = memory.step(for: 7, at: after(.seconds(60)))
    #expect(known == .take("scan") && old == .ask)
  }

  @Test func `an account without a name is remembered as well`() {
    var memory = NameMemory(timeout: .seconds(1))
    _ = memory.step(for: 7, at: start)
    memory.learn(nil, of: 7, at: start)
    let step = memory.step(for: 7, at: after(.seconds(1)))
    #expect(step == .take(nil))
  }

  /// An old name is better than none, and other callers do not wait.
  @Test func `no caller waits while an answer is overdue`() {
    var memory = NameMemory(timeout: .seconds(1))
    _ = memory.step(for: 0, at: start)
    memory.learn("root", of: 0, at: start)
    _ = memory.step(for: 7, at: after(.seconds(100)))
    let young = memory.step(for: 8, at: after(.milliseconds(100_999)))
    let steps = ([0, 7, 9] as [UInt32]).map { memory.step(for: $0, at: after(.seconds(101))) }
    #expect(young == .ask && steps == [.take("root"), .take(nil), .take(nil)])
    memory.learn("late", of: 7, at: after(.seconds(130)))
    memory.learn(nil, of: 8, at: after(.seconds(130)))
    let again = ([7, 9] as [UInt32]).map { memory.step(for: $0, at: after(.seconds(130))) }
    #expect(again == [.take("late"), .ask])
  }

  @Test func `a name is kept when the directory has none`() {
    var memory = NameMemory(timeout: .seconds(1))
    memory.learn("scan", of: 7, at: start)
    memory.learn(nil, of: 7, at: after(.seconds(70)))
    #expect(memory.name(of: 7) == "scan")
    memory.learn("scanner", of: 7, at: after(.seconds(140)))
    #expect(memory.name(of: 7) == "scanner")
  }

  @Test func `neither names nor look-ups grow without limit`() {
    var memory = NameMemory(timeout: .seconds(1))
    let steps = (0..<40 as Range<UInt32>).map { memory.step(for: $0, at: start) }
    #expect(steps.count { $0 == .ask } == NameMemory.maximumQuestions)
    for user in 0..<1000 as Range<UInt32> {
      memory.learn("user \(user)", of: user, at: after(.milliseconds(Int(user))))
    }
    #expect(memory.count == NameMemory.maximumNames)
    #expect(memory.name(of: 999) == "user 999" && memory.name(of: 0) == nil)
  }
}
