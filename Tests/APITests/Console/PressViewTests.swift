import Console
import Testing

@testable import API

@Suite struct PressViewTests {
  @Test func `presses are shown in a table`() {
    #expect(
      PressList(presses: [Samples.refused, Samples.stored]).rendered() == [
        "number  by      outcome  error ms  frame ms  stored ms  EXIF  picture or reason",
        "    43  button  refused         -         -          -     -  thermalPressure",
        "    42  api     stored       -7.2        18         62     6  rig-7-000042.jpg",
      ])
  }

  @Test func `a press is one line`() {
    #expect(Samples.refused.line == "press 43 by button refused, thermalPressure")
    #expect(
      Samples.stored.line
        == "press 42 by api stored, error -7.2 ms, stored after 62 ms, receipt 201, "
        + "rig-7-000042.jpg")
    let lit = PressReport(
      number: 1, source: "api", outcome: .stored, flash: "auto", isFlashFired: true)
    #expect(lit.line == "press 1 by api stored, flash auto fired")
    let dark = PressReport(
      number: 2, source: "api", outcome: .stored, flash: "on", isFlashFired: false)
    #expect(dark.line == "press 2 by api stored, flash on did not fire")
    let average = PressReport(
      number: 3, source: "api", outcome: .stored, averagedFrames: 3.86)
    #expect(average.line == "press 3 by api stored, average of 3.9 frames")
    let single = PressReport(number: 4, source: "api", outcome: .stored, singleFrame: "heat")
    #expect(single.line == "press 4 by api stored, single frame (heat)")
    let merged = PressReport(
      number: 5, source: "api", outcome: .stored, itemIDs: ["a", "b"], mergedFrames: 3)
    #expect(merged.line == "press 5 by api stored, 2 pictures, merged of 3 frames")
    let unmerged = PressReport(
      number: 6, source: "api", outcome: .stored, singleFrame: "bracket", unmerged: "memory")
    #expect(unmerged.line == "press 6 by api stored, not merged (memory)")
    let damaged = PressReport(number: 7, source: "api", outcome: .stored, isDamaged: true)
    #expect(damaged.line == "press 7 by api stored, damaged")
    let refused = PressReport(
      number: 8, source: "button", outcome: .refused, reason: "bracketNotExposed",
      bracket: "ev=-2,0,2")
    #expect(
      refused.line == "press 8 by button refused, bracketNotExposed, bracket ev=-2,0,2")
    #expect(refused.rendered(width: 120).contains("bracket    ev=-2,0,2"))
  }

  @Test func `a warning about the page is told with its advice`() {
    let crooked = Samples.crooked
    #expect(
      crooked.line
        == "press 44 by api stored, the page lies crooked, the page is the same as before, "
        + "stored after 62 ms, rig-7-000044.jpg")
    let advice = [
      "The page lies crooked. Straighten the page, and take it again.",
      "The page is the same as before. Turn the page, and take the next one.",
      "To take it again: platenctl shoot --retake",
    ]
    #expect(crooked.advice == advice)
    #expect(Samples.stored.advice.isEmpty)
    var view = EventView(width: 80)
    let event = RigEvent(id: 1, timeNanoseconds: 5, payload: .press(crooked))
    let lines = view.lines(.event(event, id: "r-1"))
    #expect(lines.count == 4 && lines[0].hasPrefix("    0.000  press 44 by api stored, the page"))
    #expect(lines.dropFirst().map { String($0.dropFirst(11)) } == advice)
    let shown = crooked.rendered(width: 120)
    for row in [
      "angle      90° (text)", "skew       -3.5°", "letters    21 pixels",
      "warning    The page lies crooked. Straighten the page, and take it again.",
    ] {
      #expect(shown.contains(row), "\(shown)")
    }
    let listed = PressList(presses: [crooked]).rendered(width: 120)
    #expect(listed[1].hasSuffix("pageCrooked, pageRepeated, rig-7-000044.jpg"))
  }

  @Test func `each event is shown on one line`() {
    var view = EventView()
    let event = { (time: Int64, payload: RigEvent.Payload) in
      RigEventItem.event(RigEvent(id: 1, timeNanoseconds: time, payload: payload), id: "r-1")
    }
    #expect(view.line(.listening) == nil)
    #expect(
      view.line(event(5_000_000_000, .press(Samples.refused)))
        == "    0.000  press 43 by button refused, thermalPressure")
    #expect(
      view.line(event(6_250_000_000, .rotation(Samples.status.rotation)))
        == "    1.250  rotation capture 90°, EXIF 6, accelerometer ok")
    #expect(view.line(.missed(MissedEvents(count: 3))) == "        -  3 events were missed")
    let long = view.line(
      event(
        0,
        .readiness(ReadinessReport(state: Word(rawValue: String(repeating: "\u{1B}x", count: 99)))))
    )
    #expect(long.map(PlainText.columns) == 80)
    #expect(long?.contains("\u{1B}") == false)
  }
}
