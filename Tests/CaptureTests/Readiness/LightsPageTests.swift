import Capture
import Devices
import TestSupport
import Testing

/// The reference page of the lights, and its picture.
@Suite struct LightsPageTests {
  @Test func `the page of the lights is current`() throws {
    let rows = IndicatorLanguage.table.map { entry in
      [entry.lightName, entry.shown, entry.meaning, "`\(entry.state)`"]
    }
    let text = """
      # Lights

      A rig has any of the lights *ready*, *fault*, *upload* and *power*, or *single* alone, or none. \
      A code such as 2-3 is two flashes, a pause of a second, three flashes, and a pause of two seconds. \
      A long flash and then short ones are a warning about the picture just taken, shown for \
      \(Int(PageWarning.signalTime.components.seconds)) seconds or until the next press; presses are taken.

      ## As time lines

      ![Each pattern of each light as a time line with its meaning: the rows of the table](lights.svg)

      ## As a table

      \(ReferencePage.table(["light", "shown", "meaning", "code"], rows))
      """
    let difference = try ReferencePage.difference(of: "lights.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `the picture of the lights is current`() throws {
    let difference = try ReferencePage.difference(of: "lights.svg", LightsDrawing.svg)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
