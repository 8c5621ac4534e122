import Devices
import Foundation
import Testing

@testable import API

/// The words of closed sets, as a client reads and writes them.
@Suite struct WordTests {
  @Test func `a word is written as before and read as its value`() throws {
    let report = ReadinessReport(state: Word(.ready))
    let json = try APICoding.encode(report)
    #expect(String(decoding: json, as: UTF8.self).contains("\"state\":\"ready\""))
    #expect(try APICoding.decode(ReadinessReport.self, from: Data(json)).state.value == .ready)
  }

  @Test func `a client keeps a word that a later service sends`() throws {
    let json = Data("{\"state\":\"notReadyOnMondays\",\"reasons\":[]}".utf8)
    let report = try APICoding.decode(ReadinessReport.self, from: json)
    #expect(report.state.value == nil && report.summary == "notReadyOnMondays")
    let again = try APICoding.decode(
      ReadinessReport.self, from: Data(try APICoding.encode(report)))
    #expect(again == report)
  }

  @Test func `reasons of a later service are shown`() throws {
    let json = Data(
      #"{"state":"notReadyMomentarily","reasons":["eclipse","storageFull"],"warnings":["dust"]}"#
        .utf8)
    let report = try APICoding.decode(ReadinessReport.self, from: json)
    #expect(report.reasons.map(\.value) == [nil, .storageFull])
    #expect(report.summary == "eclipse, storageFull (notReadyMomentarily), warning dust")
  }

  @Test func `a client keeps a throttle flag that a later service sends`() throws {
    let json = Data("{\"now\":[\"throttled\",\"tired\"],\"sinceBoot\":[]}".utf8)
    let report = try APICoding.decode(ThrottleReport.self, from: json)
    #expect(report.now.map(\.value) == [.throttled, nil])
    #expect(ThrottleReport(ThrottleStatus(now: .throttled)).sinceBoot == [Word(.throttled)])
  }

  @Test func `counts by a word are an object with the words as its keys`() throws {
    let summary = PressSummary(
      last: 3, stored: 3, refused: 0, inFlight: 0, warned: [.glare: 2, .pageEmpty: 1])
    let json = String(decoding: try APICoding.encode(summary), as: UTF8.self)
    #expect(json.contains(#""warned":{"glare":2,"pageEmpty":1}"#))
    #expect(try APICoding.decode(PressSummary.self, from: Data(json.utf8)) == summary)
    let later = json.replacing("glare", with: "pageTorn")
    let report = try APICoding.decode(PressSummary.self, from: Data(later.utf8))
    #expect(report.warned == ["pageTorn": 2, "pageEmpty": 1])
  }

  @Test func `the abilities of a later service's camera are kept`() throws {
    let json = Data(
      (#"{"brackets":["ev","polarizer"],"bracketFrames":3,"flashModes":["off"],"#
        + #""raw":{"bits":10,"mosaic":"quad","packing":"none"}}"#).utf8)
    let report = try APICoding.decode(CapabilitiesReport.self, from: json)
    #expect(report.brackets.map(\.value) == [.exposureBias, nil])
    #expect(report.flashModes == [Word(.off)])
    #expect(report.raw?.text.hasPrefix("10 bits, quad, none") == true)
  }

  @Test func `a press of a later service is shown`() throws {
    let json = Data(
      "{\"number\":7,\"source\":\"voice\",\"gesture\":\"clap\",\"outcome\":\"stored\"}".utf8)
    let press = try APICoding.decode(PressReport.self, from: json)
    #expect(press.source.value == nil && press.gesture?.rawValue == "clap")
    #expect(PressFilter().matches(press))
  }
}
