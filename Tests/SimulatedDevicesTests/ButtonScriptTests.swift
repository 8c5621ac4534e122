import Devices
import Testing

@testable import SimulatedDevices

@Suite struct ButtonScriptTests {
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func edges(_ script: ButtonScript) -> [LineEdge] {
    script.entries(from: 0, upTo: MonotonicInstant(nanoseconds: .max)).0.compactMap { entry in
      if case .edge(let edge) = entry { edge } else { nil }
    }
  }

  @Test func `a clean press is two edges`() {
    var script = ButtonScript(seed: 1)
    let down = script.move(to: true, at: start, bounce: .none)
    _ = script.move(to: false, at: down.advanced(by: .milliseconds(80)), bounce: .none)
    #expect(
      edges(script) == [
        LineEdge(kind: .activated, time: start, lineSequence: 1),
        LineEdge(
          kind: .deactivated, time: start.advanced(by: .milliseconds(80)), lineSequence: 2),
      ])
    #expect(!script.isActive(at: start.advanced(by: .nanoseconds(-1))))
    #expect(script.isActive(at: start))
    #expect(!script.isActive(at: start.advanced(by: .milliseconds(80))))
  }

  @Test(arguments: [UInt64](1...50)) func `bounce alternates, ends right and is reproducible`(
    seed: UInt64
  ) {
    let count = Int(seed % 9)
    let bounce = ContactBounce(count: count, duration: .microseconds(40 * Int(seed)))
    func made() -> [LineEdge] {
      var script = ButtonScript(seed: seed)
      let down = script.move(to: true, at: start, bounce: bounce)
      _ = script.move(to: false, at: down.advanced(by: .milliseconds(50)), bounce: bounce)
      return self.edges(script)
    }
    let edges = made()
    #expect(edges == made(), "seed \(seed)")
    #expect(edges.count == 2 + 4 * count, "seed \(seed)")
    for (earlier, later) in zip(edges, edges.dropFirst()) {
      #expect(earlier.time < later.time, "seed \(seed)")
      #expect(earlier.kind != later.kind, "seed \(seed)")
    }
    #expect(edges.first?.time == start, "seed \(seed)")
    #expect(edges.last?.kind == .deactivated, "seed \(seed)")
    #expect(edges.map(\.lineSequence) == (1...UInt32(edges.count)).map { $0 }, "seed \(seed)")
    let lastDown = edges[2 * count].time
    #expect(start.duration(to: lastDown) <= bounce.duration, "seed \(seed)")
  }

  @Test func `different presses bounce differently`() {
    var script = ButtonScript(seed: 3)
    var offsets: Set<[Duration]> = []
    for press in 0..<4 {
      let at = start.advanced(by: .seconds(press))
      let cursor = script.cursor(at: at)
      _ = script.move(to: true, at: at, bounce: .typical)
      _ = script.move(to: false, at: at.advanced(by: .milliseconds(100)), bounce: .none)
      let found = script.entries(from: cursor, upTo: at.advanced(by: .milliseconds(50))).0
      offsets.insert(found.map { at.duration(to: $0.time) })
    }
    #expect(offsets.count == 4)
  }

  @Test func `an overlapping press begins behind the earlier one`() {
    var script = ButtonScript(seed: 1)
    _ = script.move(to: true, at: start, bounce: .none)
    _ = script.move(to: false, at: start.advanced(by: .milliseconds(80)), bounce: .none)
    let second = script.move(to: true, at: start.advanced(by: .milliseconds(10)), bounce: .none)
    #expect(second == start.advanced(by: .milliseconds(80) + .microseconds(1)))
  }

  @Test func `a move to the present position makes no edge`() {
    var script = ButtonScript(seed: 1)
    _ = script.move(to: false, at: start, bounce: .typical)
    #expect(edges(script).isEmpty)
  }

  @Test func `readers continue at their place even after trimming`() {
    var script = ButtonScript(seed: 1)
    var cursor = script.cursor(at: start)
    var read = 0
    var time = start
    for index in 0..<(2 * ButtonScript.keptEntries) {
      time = time.advanced(by: .milliseconds(1))
      _ = script.move(to: index.isMultiple(of: 2), at: time, bounce: .none)
      if index % 100 == 99 {
        let (entries, next) = script.entries(from: cursor, upTo: time)
        read += entries.count
        cursor = next
      }
    }
    read += script.entries(from: cursor, upTo: time).0.count
    #expect(read == 2 * ButtonScript.keptEntries)
    #expect(script.isActive(at: time) == false)
  }

  @Test func `lost edges leave a gap in the numbers`() {
    var script = ButtonScript(seed: 1)
    _ = script.move(to: true, at: start, bounce: .none)
    script.lose(5, at: start)
    _ = script.move(to: false, at: start.advanced(by: .milliseconds(1)), bounce: .none)
    #expect(edges(script).map(\.lineSequence) == [1, 7])
  }
}
