import Capture
import Devices
import TestSupport
import Testing

/// The reference page of the lights.
@Suite struct LightsPageTests {
  /// The time of one character of a time line.
  private static let unit = Duration.milliseconds(100)

  /// Returns a pattern as characters of 100 ms: a block is lit, a dot is dark.
  private func timeLine(_ pattern: IndicatorPattern) -> String {
    pattern.steps.map { step in
      let count = Int((step.duration / Self.unit).rounded())
      return String(repeating: step.level > 0 ? "█" : "·", count: count)
    }.joined()
  }

  @Test func `the page of the lights is current`() throws {
    let rows = IndicatorLanguage.table.map { entry in
      let light = entry.light.map { "\($0.rawValue) (\(entry.color))" } ?? entry.color
      return [light, entry.shown, entry.meaning, "`\(entry.state)`"]
    }
    let codes = IndicatorLanguage.table.filter { $0.light == .fault }.compactMap { entry in
      entry.code.map { "\($0)  \(timeLine(entry.pattern))  \(entry.state)" }
    }
    let text = """
      # Lights

      A rig has any of the lights *ready*, *fault*, *upload* and *power*, or *single* alone, or none. \
      A code such as 2-3 is two flashes, a pause of a second, three flashes, and a pause of two seconds.

      \(ReferencePage.table(["light", "shown", "meaning", "code"], rows))

      ## The codes as time lines

      A block is 100 ms of light, a dot 100 ms of dark. A code starts again at its end.

      ```
      \(codes.joined(separator: "\n"))
      ```
      """
    let difference = try ReferencePage.difference(of: "lights.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
