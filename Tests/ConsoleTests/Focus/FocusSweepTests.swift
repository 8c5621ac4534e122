import API
import Console
import Testing

@Suite struct FocusSweepTests {
  /// Runs a search over a lens whose sharpness is known.
  private func search(
    _ lens: LensReport, _ sharpness: (Double) -> Double
  ) -> (end: FocusSweep.Next, steps: [FocusSweep.Step]) {
    var sweep = FocusSweep(lens)
    while case .place(let diopters) = sweep.next, sweep.steps.count < 1000 {
      sweep.add(sharpness(diopters))
    }
    return (sweep.next, sweep.steps)
  }

  @Test(arguments: [0.0, 0.1, 1.9, 2.0, 7.3, 14.95, 15.0])
  func `the peak is found to a tenth`(_ peak: Double) throws {
    let lens = LensReport(farthest: 0, nearest: 15)
    let (end, steps) = search(lens) { 0.3 / (1 + ($0 - peak) * ($0 - peak)) + 0.01 }
    guard case .found(let best) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(abs(best.diopters - peak) <= 0.1, "\(best)")
    #expect(steps.count <= 50 && steps.allSatisfy { (0...15).contains($0.diopters) })
  }

  @Test(arguments: [(0.4, 2.0), (0.3, 5.2), (0.3, 0.9)])
  func `the middle of a plateau is taken`(_ half: Double, _ center: Double) {
    let (end, _) = search(LensReport(farthest: 0, nearest: 15)) {
      abs($0 - center) <= half ? 0.2 : 0.05
    }
    guard case .found(let best) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(abs(best.diopters - center) <= 0.16, "\(best)")
  }

  @Test(arguments: [0.0, 0.2, .nan])
  func `a lens without a sharper position gives no result`(_ level: Double) {
    let (end, _) = search(LensReport(farthest: 0, nearest: 10)) { _ in level }
    guard case .nothing(let reason) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(reason.contains("fine print"))
  }

  @Test func `a narrow lens is searched as well`() {
    let (end, steps) = search(LensReport(farthest: 1, nearest: 1.4)) { $0 }
    guard case .found(let best) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(abs(best.diopters - 1.4) < 0.02)
    #expect(steps.allSatisfy { (1...1.4).contains($0.diopters) })
  }

  @Test func `a lens that cannot move ends the search`() {
    for (farthest, nearest) in [(2.0, 2.0), (3.0, 1.0)] {
      let (end, steps) = search(LensReport(farthest: farthest, nearest: nearest)) { _ in 0.1 }
      guard case .nothing = end else {
        Issue.record("\(end)")
        return
      }
      #expect(steps.count < 10)
    }
  }

  @Test func `the number of positions is known beforehand`() {
    var sweep = FocusSweep(LensReport(farthest: 0, nearest: 10))
    let count = sweep.positionCount
    while case .place(let diopters) = sweep.next { sweep.add(1 / (1 + abs(diopters - 5))) }
    #expect(sweep.steps.count == count)
  }
}
