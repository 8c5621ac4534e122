import Testing

@testable import SimulatedDevices

/// The difference of colors, by the test data of Sharma, Wu and Dalal (2005).
@Suite struct ColorDifferenceTests {
  static let pairs: [([Double], [Double], Double)] = [
    ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
    ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1),
    ([50, 0, 0], [50, -1, 2], 2.3669),
    ([50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792),
    ([50, 2.5, 0], [73, 25, -18], 27.1492),
    ([50, 2.5, 0], [56, -27, -3], 31.903),
    ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
  ]

  @Test(arguments: pairs)
  func `a difference is that of the published data`(
    one: [Double], other: [Double], difference: Double
  ) {
    #expect(abs(ColorChart.difference(one, other) - difference) < 0.00005)
    #expect(abs(ColorChart.difference(other, one) - difference) < 0.00005)
  }

  @Test(arguments: ["", "P6\n4 4\n65535\n", "P6\n4\n65535\nabc", "P6\n1 1\n65535\nabcdefg"])
  func `bytes of another form have no colors`(_ text: String) {
    #expect(ColorChart.differences(ofDevelopment: Array(text.utf8)) == nil)
  }
}
