import API
import Console
import Testing

@Suite struct SessionViewTests {
  @Test func `the session fits an eighty column terminal`() {
    #expect(
      SessionSamples.overview.rendered() == [
        "readiness   ready",
        "state       running",
        "camera      imx708, /base/soc/i2c0mux/i2c@1/imx708@1a",
        "role        main, of main, overhead",
        "wanted      camera main, document, 15.0 frames/s, zoom 1.50, exposure 8.00 ms",
        "            gain 2.00, white balance locked, focus 2.50 diopters, flicker 50 Hz,",
        "            quality, no fast capture",
        "resolved    4608x2592, yuv420, 14.3 frames/s",
        "            The frame rate is 14.35 a second, not 30, because the size allows no",
        "            more.",
        "set         zoom 1.50, exposure 8.00 ms gain 2.00, white balance locked, focus",
        "            2.25 diopters, flicker 50 Hz, noise reduction highQuality, sharpness",
        "            1.50",
        "            focus fixed by the camera's calibration",
        "calibrated  exposure 9.50 ms, gain 1.25, red 1.75, blue 1.50, focus 2.25",
        "            diopters",
      ])
  }

  @Test func `interruptions are a table`() {
    #expect(
      SessionSamples.interruptions.rendered() == [
        "began s  lasted s  reason           cause",
        "   90.0     lasts  thermalPressure  -",
        "   12.5       2.5  cameraUnplugged  \"imx708\" was unplugged",
      ])
    #expect(
      InterruptionList(lasting: [], ended: []).rendered()
        == ["No interruption since the service began."])
  }

  @Test func `the table of the lights fits any terminal and has every row`() {
    for width in [40, 80, 132] {
      let lines = LightTable().rendered(width: width)
      #expect(lines.allSatisfy { PlainText.columns($0) <= width })
      let text = lines.joined(separator: " ")
      for row in LightTable().rows {
        #expect(text.contains("(\(row.state))"), "\(width): \(row.state)")
        #expect(text.contains(row.color) && (row.code.map { text.contains($0) } ?? true))
      }
    }
    for row in LightTable().rows where row.code != nil {
      let lit = row.pattern.compactMap(\.milliseconds).count
      #expect(lit == row.pattern.count, "\(row.state): every step of a code has its time")
    }
  }

  static let events: [(RigEvent.Payload, String)] = [
    (
      .movie(MovieSamples.recording),
      "recording interrupted (cameraStalled), press 43, 12 s, 370 frames, 2 dropped, 10.6 MB"
    ),
    (
      .movie(MovieReport(state: "idle", last: MovieSamples.refused)),
      "recorded press 40 refused (recorderMissing): the movie cannot begin"
    ),
    (
      .configuration(SessionSamples.settings),
      "configuration camera main, document, 15.0 frames/s, zoom 1.50"
    ),
    (
      .buttons(Samples.status.buttons),
      "buttons: shutter in order; button pedal: buttonStuck; button retake: in order, 17 edges lost"
    ),
    (
      .progress(
        CaptureProgressReport(
          press: 3, step: .settingsResolved, prioritization: "speed", isFastCapture: true, count: 2)
      ), "press 3 settingsResolved, speed (fast capture)"
    ),
    (
      .progress(
        CaptureProgressReport(
          press: 3, step: .settingsResolved, prioritization: "speed", flash: "auto",
          isFlashEnabled: true)), "press 3 settingsResolved, speed, flash auto fires"
    ),
    (
      .progress(
        CaptureProgressReport(
          press: 3, step: .photoDelivered, count: 2, index: 1, kind: "thumbnail", itemID: "a")),
      "press 3 photoDelivered, thumbnail 1 of 2"
    ),
    (
      .progress(
        CaptureProgressReport(
          press: 3, step: .settingsResolved, prioritization: "quality", singleFrame: "heat")),
      "press 3 settingsResolved, quality, single frame (heat)"
    ),
    (
      .progress(
        CaptureProgressReport(
          press: 3, step: .photoDelivered, count: 1, index: 1, kind: "photo",
          averagedFrames: 3.86)), "press 3 photoDelivered, average of 3.9 frames, photo 1 of 1"
    ),
    (
      .thermal(
        ThermalReport(
          state: "serious", temperatures: [TemperatureReport(zone: "cpu-thermal", celsius: 78.25)])),
      "thermal serious, cpu-thermal 78.2 °C"
    ),
    (
      .interruption(
        InterruptionReport(
          reason: "cameraStalled", cause: "no frame", beganNanoseconds: 1, endedNanoseconds: nil)),
      "interrupted, cameraStalled: no frame"
    ),
    (
      .interruption(
        InterruptionReport(
          reason: "cameraStalled", cause: "no frame", beganNanoseconds: 1,
          endedNanoseconds: 2_500_000_001)), "interruption ended, cameraStalled, after 2.5 s"
    ),
  ]

  @Test(arguments: events) func `a change is a line`(_ payload: RigEvent.Payload, _ line: String) {
    var view = EventView(width: 200)
    let event = RigEvent(id: 1, timeNanoseconds: 5, payload: payload)
    let shown = view.line(.event(event, id: "a-1"))
    #expect(shown?.contains(line) == true, "\(shown ?? "")")
  }
}
