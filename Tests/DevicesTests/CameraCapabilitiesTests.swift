import Devices
import Foundation
import Testing

@Suite struct CameraCapabilitiesTests {
  private static let some = CameraCapabilities(
    exposureModes: [.continuousAutoExposure, .custom],
    exposureDurations: .microseconds(100)...(.milliseconds(500)), gains: 1...8,
    whiteBalanceModes: [.custom], whiteBalanceGains: 0.5...4, focusModes: [.locked],
    lensPositions: 0...10, maximumVideoZoomFactor: 4, flickerAvoidances: [.off, .hertz50],
    noiseReductions: [.fast], imageControls: [.sharpness: 0...16])

  struct Row: Sendable, CustomTestStringConvertible {
    var controls: CameraControls
    var refusal: String?
    var testDescription: String { refusal ?? "\(controls)" }
  }

  private static func exposure(_ duration: Duration, _ gain: Double) -> CameraControls {
    CameraControls(exposureMode: .custom(duration: duration, gain: gain))
  }

  private static func balance(_ red: Double, _ blue: Double) -> CameraControls {
    CameraControls(whiteBalanceMode: .custom(WhiteBalanceGains(red: red, blue: blue)))
  }

  static let rows = [
    Row(controls: CameraControls()),
    Row(controls: CameraControls(exposureMode: .continuousAutoExposure)),
    Row(
      controls: CameraControls(exposureMode: .locked),
      refusal: "it has no exposure mode \"locked\""),
    Row(controls: exposure(.microseconds(100), 1)),
    Row(controls: exposure(.milliseconds(500), 8)),
    Row(
      controls: exposure(.seconds(1), 1),
      refusal: "an exposure duration of 1.0 seconds is not within 0.0001 seconds...0.5 seconds"),
    Row(controls: exposure(.zero, 1), refusal: "an exposure duration of 0.0 seconds is none"),
    Row(controls: exposure(.milliseconds(1), 9), refusal: "a gain of 9.0 is not within 1.0...8.0"),
    Row(controls: exposure(.milliseconds(1), .nan), refusal: "a gain of nan is none"),
    Row(controls: balance(0.5, 4)),
    Row(
      controls: balance(0.5, 4.1),
      refusal: "a white-balance gain of 4.1 is not within 0.5...4.0"),
    Row(controls: balance(-1, 1), refusal: "a white-balance gain of -1.0 is none"),
    Row(
      controls: CameraControls(whiteBalanceMode: .locked),
      refusal: "it has no white-balance mode \"locked\""),
    Row(controls: CameraControls(focusMode: .locked(lensPosition: nil))),
    Row(controls: CameraControls(focusMode: .locked(lensPosition: 0))),
    Row(
      controls: CameraControls(focusMode: .locked(lensPosition: 11)),
      refusal: "a lens position of 11.0 is not within 0.0...10.0"),
    Row(
      controls: CameraControls(focusMode: .autoFocus),
      refusal: "it has no focus mode \"autoFocus\""),
    Row(controls: CameraControls(videoZoomFactor: 4)),
    Row(
      controls: CameraControls(videoZoomFactor: 4.5),
      refusal: "a video zoom factor of 4.5 is not within 1.0...4.0"),
    Row(controls: CameraControls(flickerAvoidance: .hertz50)),
    Row(
      controls: CameraControls(flickerAvoidance: .hertz60),
      refusal: "it has no flicker avoidance \"60\""),
    Row(controls: CameraControls(noiseReduction: .fast)),
    Row(
      controls: CameraControls(noiseReduction: .minimal),
      refusal: "it has no noise reduction \"minimal\""),
    Row(controls: CameraControls(image: [.sharpness: 16])),
    Row(
      controls: CameraControls(image: [.sharpness: 16.5]),
      refusal: "\"sharpness\" of 16.5 is not within 0.0...16.0"),
    Row(
      controls: CameraControls(image: [.sharpness: .nan]),
      refusal: "\"sharpness\" of nan is none"),
    Row(
      controls: CameraControls(image: [.sharpness: 1, .contrast: 1]),
      refusal: "it has no image control \"contrast\""),
  ]

  @Test(arguments: rows) func `a missing capability is named`(row: Row) {
    #expect(Self.some.refusal(of: row.controls) == row.refusal)
  }

  @Test(arguments: rows) func `a camera that can only stream refuses all but the defaults`(row: Row)
  {
    let refusal = CameraCapabilities().refusal(of: row.controls)
    #expect((refusal == nil) == (row.controls == CameraControls()))
  }

  @Test func `a refusal is an error for an unsupported device`() {
    let error = #expect(throws: DeviceError.self) {
      try Self.some.require(CameraControls(exposureMode: .locked), device: "imx219")
    }
    #expect(error?.code == .unsupported)
    #expect(
      error?.description
        == "\"imx219\" cannot be controlled like this: it has no exposure mode \"locked\"")
  }

  @Test func `a lens that cannot be moved can still be held`() {
    let capabilities = CameraCapabilities(focusModes: [.locked])
    #expect(capabilities.refusal(of: CameraControls(focusMode: .locked(lensPosition: nil))) == nil)
    #expect(
      capabilities.refusal(of: CameraControls(focusMode: .locked(lensPosition: 1)))
        == "it has no control of the lens position")
  }

  @Test(arguments: rows) func `controls survive their file form`(row: Row) throws {
    // JSON has no number for NaN.
    guard row.refusal?.contains("nan") != true else { return }
    let data = try JSONEncoder().encode(row.controls)
    #expect(try JSONDecoder().decode(CameraControls.self, from: data) == row.controls)
    let capabilities = try JSONDecoder().decode(
      CameraCapabilities.self, from: JSONEncoder().encode(Self.some))
    #expect(capabilities == Self.some)
  }
}
