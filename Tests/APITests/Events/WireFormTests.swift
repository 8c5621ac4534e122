import API
import Devices
import Testing

/// The JSON of reports, on which other programs rely.
@Suite struct WireFormTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try APICoding.encode(value), as: UTF8.self)
  }

  @Test func `an event has its payload under its kind`() throws {
    let event = RigEvent(
      id: 7, timeNanoseconds: 123_456_789,
      payload: .readiness(ReadinessReport(state: "ready")))
    #expect(
      try text(event)
        == #"{"id":7,"kind":"readiness","readiness":{"reasons":[],"state":"ready"},"#
        + #""timeNanoseconds":123456789}"#)
  }

  @Test(arguments: [(2, #"{"secondsLeft":2}"#), (nil, "{}")] as [(Int?, String)])
  func `the end of a countdown has no seconds`(seconds: Int?, report: String) throws {
    let event = RigEvent(
      id: 8, timeNanoseconds: 5, payload: .handsFree(HandsFreeReport(secondsLeft: seconds)))
    let json = #"{"handsFree":\#(report),"id":8,"kind":"handsFree","timeNanoseconds":5}"#
    #expect(try text(event) == json)
    #expect(try APICoding.decode(RigEvent.self, from: json.utf8) == event)
  }

  @Test func `a recording's event reads as it was written`() throws {
    let event = RigEvent(id: 9, timeNanoseconds: 5, payload: .movie(MovieSamples.recording))
    let json = try text(event)
    #expect(json.contains(#""kind":"movie""#) && json.contains(#""state":"interrupted""#))
    #expect(try APICoding.decode(RigEvent.self, from: json.utf8) == event)
  }

  @Test(
    arguments: [
      (.press(durationMilliseconds: nil, bounce: nil), #"{"action":"press"}"#),
      (
        .press(durationMilliseconds: 5, bounce: false),
        #"{"action":"press","bounce":false,"durationMilliseconds":5}"#
      ),
      (.turn(.flat), #"{"action":"turn","flat":true}"#),
      (.turn(.degrees(-90)), #"{"action":"turn","degrees":-90}"#),
      (.heat(celsius: 70.5), #"{"action":"heat","celsius":70.5}"#),
      (
        .throttle([.undervoltage, .softTemperatureLimit]),
        #"{"action":"throttle","flags":["undervoltage","softTemperatureLimit"]}"#
      ),
      (.showPage(3), #"{"action":"showPage","page":3}"#),
      (.showHand(true), #"{"action":"showHand","isThere":true}"#),
      (.cameraFault("stall"), #"{"action":"cameraFault","fault":"stall"}"#),
    ] as [(SimulationCommand, String)])
  func `commands have a fixed form`(command: SimulationCommand, json: String) throws {
    #expect(try text(command) == json)
    #expect(try APICoding.decode(SimulationCommand.self, from: json.utf8) == command)
  }

  @Test func `the findings about a page have a fixed form`() throws {
    let text = try text(Samples.crooked)
    #expect(text.contains(#""orientationSource":"text""#))
    #expect(
      text.contains(
        #""page":{"letterHeight":21.25,"outline":[{"x":0.25,"y":0.125},{"x":0.75,"y":0.25}],"#
          + #""skew":-3.5,"warnings":[{"advice":"Straighten the page, and take it again.","#
          + #""code":"pageCrooked","meaning":"the page lies crooked"},"#), "\(text)")
    #expect(try APICoding.decode(PressReport.self, from: text.utf8) == Samples.crooked)
    var findings = PageFindings()
    findings.skew = .nan
    findings.letterHeight = .infinity
    #expect(
      try self.text(PageReport(findings, hasRegions: true)) == #"{"regions":[],"warnings":[]}"#)
  }

  @Test func `an error has a fixed form`() throws {
    #expect(
      try text(ErrorEnvelope(APIError(.notFound, "No \"x\".")))
        == #"{"error":{"code":"notFound","message":"No \"x\"."}}"#)
  }

  /// JSON has no NaN: a sensor that returns one must not break the status.
  @Test func `numbers that are not finite are omitted`() throws {
    let rotation = RotationReport(
      captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: "implausible",
      acceleration: [0, .nan, 9.81])
    #expect(try !text(rotation).contains("\"acceleration\""))
    let thermal = TemperatureReport(zone: "cpu", celsius: .infinity)
    #expect(try text(thermal) == #"{"zone":"cpu"}"#)
    let press = PressReport(
      number: 1, source: "api", outcome: .stored, selectionErrorMilliseconds: .nan,
      pressToFrameMilliseconds: -.infinity, pressToStoredMilliseconds: .signalingNaN)
    #expect(try text(press) == #"{"number":1,"outcome":"stored","source":"api"}"#)
  }
}
