import Devices
import Foundation
import Testing

/// The JSON of the controls, which the API and the camera process have in common.
@Suite struct CameraControlsJSONTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var controls: CameraControls
    var json: String
    var testDescription: String { json }

    /// Makes a row whose controls besides the given ones are the camera's own.
    init(_ json: String, _ edit: (inout CameraControls) -> Void) {
      controls = CameraControls()
      edit(&controls)
      self.json = json
    }
  }

  static let rows = [
    Row(#"{"exposure":"own","flicker":"off","focus":"own","whiteBalance":"own","zoom":1}"#) { _ in
    },
    Row(#"{"exposure":"auto","flicker":50,"focus":"auto","whiteBalance":"auto","zoom":1.5}"#) {
      $0.exposureMode = .continuousAutoExposure
      $0.whiteBalanceMode = .continuousAutoWhiteBalance
      $0.focusMode = .autoFocus
      $0.flickerAvoidance = .hertz50
      $0.videoZoomFactor = 1.5
    },
    Row(
      #"{"exposure":"locked","flicker":60,"focus":"continuous","noiseReduction":"highQuality","#
        + #""whiteBalance":"locked","zoom":1}"#
    ) {
      $0.exposureMode = .locked
      $0.whiteBalanceMode = .locked
      $0.focusMode = .continuousAutoFocus
      $0.flickerAvoidance = .hertz60
      $0.noiseReduction = .highQuality
    },
    Row(
      #"{"exposure":{"durationMicroseconds":8333,"gain":2},"flicker":"off","#
        + #""focus":{"diopters":2.5},"image":{"brightness":-0.25,"sharpness":1.5},"#
        + #""whiteBalance":{"blue":1.25,"red":1.5},"zoom":1}"#
    ) {
      $0.exposureMode = .custom(duration: .microseconds(8333), gain: 2)
      $0.whiteBalanceMode = .custom(WhiteBalanceGains(red: 1.5, blue: 1.25))
      $0.focusMode = .locked(lensPosition: 2.5)
      $0.image = [.sharpness: 1.5, .brightness: -0.25]
    },
    Row(
      #"{"exposure":"own","flicker":"off","focus":{"x":0.25,"y":1},"whiteBalance":"own","zoom":1}"#
    ) {
      $0.focusMode = .autoFocusAtPoint(FocusPoint(x: 0.25, y: 1))
    },
    Row(#"{"exposure":"own","flicker":"off","focus":"locked","whiteBalance":"own","zoom":1}"#) {
      $0.focusMode = .locked(lensPosition: nil)
    },
  ]

  @Test func `the former key of a lens position is read`() throws {
    let json = Data(#"{"dioptres":2.5}"#.utf8)
    let mode = try JSONDecoder().decode(CameraControls.FocusMode.self, from: json)
    #expect(mode == .locked(lensPosition: 2.5))
    #expect(String(decoding: try JSONEncoder().encode(mode), as: UTF8.self) == #"{"diopters":2.5}"#)
  }

  @Test(arguments: rows) func `controls are written and read`(row: Row) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(row.controls), as: UTF8.self) == row.json)
    let read = try JSONDecoder().decode(CameraControls.self, from: Data(row.json.utf8))
    #expect(read == row.controls)
  }

  @Test func `an unknown noise reduction is the camera's own`() throws {
    let json =
      #"{"exposure":"own","flicker":50,"focus":"own","noiseReduction":"extreme","#
      + #""whiteBalance":"own","zoom":2}"#
    let read = try JSONDecoder().decode(CameraControls.self, from: Data(json.utf8))
    #expect(read == CameraControls(videoZoomFactor: 2, flickerAvoidance: .hertz50))
  }

  @Test(arguments: CameraControl.allCases)
  func `a control has to be there unless the session chooses it`(control: CameraControl) {
    let json =
      #"{"exposure":"own","flicker":"off","focus":"own","whiteBalance":"own","zoom":1}"#
      .replacing("\"\(control.rawValue)\"", with: "\"other\"")
    let read = try? JSONDecoder().decode(CameraControls.self, from: Data(json.utf8))
    #expect((read == nil) == CameraControl.changeable.contains(control))
  }

  @Test(arguments: rows) func `changes are the controls that differ`(row: Row) {
    let other = CameraControls(exposureMode: .locked, videoZoomFactor: 3)
    #expect(row.controls.changes(from: row.controls) == CameraControls())
    #expect(row.controls.changes(from: CameraControls()) == row.controls)
    let changes = row.controls.changes(from: other)
    let mode = row.controls.exposureMode
    #expect(changes.exposureMode == (mode == .locked ? nil : mode))
    #expect(changes.videoZoomFactor == row.controls.videoZoomFactor)
  }

  @Test func `an unknown control of the image is skipped`() throws {
    let json =
      #"{"exposure":"own","flicker":"off","focus":"own","image":{"glow":1,"contrast":2},"#
      + #""whiteBalance":"own","zoom":1}"#
    let read = try JSONDecoder().decode(CameraControls.self, from: Data(json.utf8))
    #expect(read == CameraControls(image: [.contrast: 2]))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var json: String
    var words: String
    var read: @Sendable (Data) throws -> Void
    var testDescription: String { json }

    /// Makes a refusal of a value of a type.
    init<Value: Decodable & Sendable>(_ type: Value.Type, _ json: String, _ words: String) {
      self.json = json
      self.words = words
      read = { _ = try JSONDecoder().decode(Value.self, from: $0) }
    }
  }

  static let refusals = [
    Refusal(
      CameraControls.ExposureMode.self, #""dark""#,
      "The value \"dark\" of \"exposure\" is unknown; there are: own, auto, locked, an object."),
    Refusal(
      CameraControls.ExposureMode.self, #"{"durationMicroseconds":1,"gain":1,"iso":100}"#,
      "The key \"iso\" is unknown; expected: durationMicroseconds, gain."),
    Refusal(
      CameraControls.ExposureMode.self, #"{"durationMicroseconds":1e300,"gain":1}"#,
      "The value of \"exposure.durationMicroseconds\" must be from 1.0 to 60000000.0, not 1e+300."),
    Refusal(
      CameraControls.WhiteBalanceMode.self, #"{"red":1,"green":1,"blue":1}"#,
      "The key \"green\" is unknown; expected: red, blue."),
    Refusal(
      CameraControls.FocusMode.self, #""near""#,
      "The value \"near\" of \"focus\" is unknown; there are: own, continuous, auto, locked, "
        + "an object."),
    Refusal(
      CameraControls.FocusMode.self, #"{"x":0.5,"y":0.5,"diopters":2}"#,
      "The key \"diopters\" is unknown; expected: x, y."),
    Refusal(
      CameraControls.FlickerAvoidance.self, "55",
      "The value \"55\" of \"flicker\" is unknown; there are: off, 50, 60."),
    Refusal(
      CameraControls.FlickerAvoidance.self, #""50""#,
      "The value \"50\" of \"flicker\" is unknown; there are: off, 50, 60."),
  ]

  @Test(arguments: refusals) func `an impossible value is refused by name`(refusal: Refusal) {
    let error = #expect(throws: InvalidValue.self) { try refusal.read(Data(refusal.json.utf8)) }
    #expect(error?.description == refusal.words)
  }

  @Test func `numbers that no camera has are found`() throws {
    let exposure = CameraControls.ExposureMode.custom(duration: .zero, gain: 1)
    let error = #expect(throws: InvalidValue.self) { try exposure.check() }
    #expect(
      error?.description
        == "The value of \"exposure.durationMicroseconds\" must be from 1.0 to 60000000.0, not 0.0."
    )
    let gain = CameraControls.ExposureMode.custom(duration: .seconds(60), gain: 1001)
    #expect(throws: InvalidValue.self) { try gain.check() }
    let balance = CameraControls.WhiteBalanceMode.custom(WhiteBalanceGains(red: 1, blue: 0))
    #expect(throws: InvalidValue.self) { try balance.check() }
    #expect(throws: InvalidValue.self) {
      try CameraControls.FocusMode.locked(lensPosition: 101).check()
    }
    for point in [FocusPoint(x: -0.1, y: 0.5), FocusPoint(x: 0.5, y: .nan)] {
      #expect(throws: InvalidValue.self) {
        try CameraControls.FocusMode.autoFocusAtPoint(point).check()
      }
    }
    try CameraControls.FocusMode.autoFocusAtPoint(FocusPoint(x: 0, y: 1)).check()
    for mode in [CameraControls.ExposureMode.locked, .custom(duration: .seconds(60), gain: 1000)] {
      try mode.check()
    }
  }

  @Test(arguments: ImageControl.allCases)
  func `a control of the image has a range around its unchanged number`(control: ImageControl)
    throws
  {
    try control.check(control.unchanged)
    try control.check(control.range.lowerBound)
    let error = #expect(throws: InvalidValue.self) {
      try control.check(control.range.upperBound + 1)
    }
    #expect(error?.description.contains("\"image.\(control.rawValue)\"") == true)
    #expect(throws: InvalidValue.self) { try control.check(.nan) }
  }

  @Test func `a change of one control of the image leaves the others out`() {
    let before = CameraControls(image: [.sharpness: 2, .contrast: 1.5])
    let after = CameraControls(image: [.sharpness: 2, .contrast: 1, .brightness: 0.5])
    #expect(after.changes(from: before).image == [.contrast: 1, .brightness: 0.5])
  }
}
