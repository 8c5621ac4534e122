import Capture
import Testing

@Suite struct ThermalGovernorTests {
  private let limits = ThermalGovernor.Limits(fair: 60, serious: 70, critical: 80, hysteresis: 3)

  static let histories: [([Double], ThermalState)] = [
    ([50], .nominal), ([60], .fair), ([69.9], .fair), ([70], .serious),
    ([80], .critical), ([80, 77.1], .critical), ([80, 77], .critical), ([80, 76.9], .serious),
    ([80, 66.9], .fair), ([80, 20], .nominal), ([70, 67.5, 69, 66.9], .fair),
    ([60, 57, 56.9], .nominal), ([Double.nan], .nominal), ([75, Double.nan], .serious),
  ]

  @Test(arguments: histories)
  func states(_ temperatures: [Double], _ expected: ThermalState) {
    var governor = ThermalGovernor(limits: limits)
    for temperature in temperatures { _ = governor.update([temperature]) }
    #expect(governor.state == expected)
  }

  @Test func hottestSensorCountsAndMissingOnesAreLeftOut() {
    var governor = ThermalGovernor(limits: limits)
    _ = governor.update([20, 81, 40])
    #expect(governor.state == .critical)
    let unchanged = governor.update([])
    #expect(unchanged == nil)
    #expect(governor.state == .critical)
    let cooler = governor.update([30, 71])
    #expect(cooler == .serious)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func noiseSmallerThanTheHysteresisChangesNothingBack(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var governor = ThermalGovernor(limits: limits)
    var changes = 0
    for step in 0..<2000 {
      let temperature = 50 + Double(step) / 50 + Double.random(in: -1.4...1.4, using: &random)
      if governor.update([temperature]) != nil { changes += 1 }
    }
    #expect(changes == 3, "seed \(seed)")
  }
}
