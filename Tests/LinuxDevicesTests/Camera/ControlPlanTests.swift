import CLibcameraShim
import Devices
import Foundation
import TestSupport
import Testing

@testable import LinuxDevices

/// The values that cameras would get which are not available here.
@Suite struct ControlPlanTests {
  /// A control as a camera lists it, or metadata.
  struct Control: Sendable {
    var name: StaticString
    var type: platen_rehearsal_type
    var range: ClosedRange<Double>
    var standard: Double?

    init(
      _ name: StaticString, _ type: platen_rehearsal_type, _ range: ClosedRange<Double>,
      standard: Double? = nil
    ) {
      self.name = name
      self.type = type
      self.range = range
      self.standard = standard
    }

    var shim: platen_rehearsal_control {
      platen_rehearsal_control(
        name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
        type: type.rawValue, minimum: range.lowerBound, maximum: range.upperBound,
        has_standard: standard == nil ? 0 : 1, standard: standard ?? 0)
    }
  }

  private static let bool = PLATEN_REHEARSAL_BOOL
  private static let whole = PLATEN_REHEARSAL_INT32
  private static let real = PLATEN_REHEARSAL_FLOAT

  /// The controls of a Raspberry Pi's camera with libcamera before 0.5.
  static let older: [Control] = [
    Control("AeEnable", bool, 0...1), Control("ExposureTime", whole, 100...500_000),
    Control("AnalogueGain", real, 1...16), Control("AwbEnable", bool, 0...1),
    Control("ColourGains", real, 0...32),
    Control("ScalerCrop", PLATEN_REHEARSAL_RECTANGLE, 512...4096),
    Control("NoiseReductionMode", whole, 0...4),
    Control("FrameDurationLimits", PLATEN_REHEARSAL_INT64, 8333...1_000_000),
  ]

  /// The same controls since 0.5, with a lens that moves.
  static let newer =
    older + [
      Control("ExposureTimeMode", whole, 0...1), Control("AnalogueGainMode", whole, 0...1),
      Control("AfMode", whole, 0...2), Control("AfTrigger", whole, 0...1),
      Control("AfMetering", whole, 0...1),
      Control("AfWindows", PLATEN_REHEARSAL_RECTANGLE, 0...65_535),
      Control("LensPosition", real, 0...15), Control("AeFlickerMode", whole, 0...1),
      Control("AeFlickerPeriod", whole, 100...1_000_000),
      Control("ExposureValue", real, -8...8, standard: 0),
      Control("Brightness", real, -1...1, standard: 0),
      Control("Contrast", real, 0...32, standard: 1),
      Control("Saturation", real, 0...32, standard: 1),
      Control("Sharpness", real, 0...16, standard: 1),
      Control("Gamma", real, 0.1...10, standard: 2.2),
    ]

  /// The controls of a USB camera.
  static let usb: [Control] = [
    Control("AeEnable", bool, 0...1), Control("ExposureTime", whole, 300...200_000),
    Control("AnalogueGain", real, 1...4), Control("Brightness", real, -1...1),
  ]

  /// The controls of vimc.
  static let plain: [Control] = [
    Control("Brightness", real, -1...1), Control("Contrast", real, 0...2),
    Control("Saturation", real, 0...2),
  ]

  private struct Rehearsal {
    var outcome: ShimOutcome
    var capabilities: CameraCapabilities
    var lines: [String]

    func values(_ name: String) -> [String] {
      lines.filter { $0.contains(" \(name) ") || $0.hasPrefix("start \(name) ") }
    }
  }

  private func rehearse(
    _ listed: [Control], _ controls: CameraControls, stream: FrameSize? = nil
  ) throws -> Rehearsal {
    let listed = listed.map(\.shim)
    var wanted = try controls.shimControls(for: "camera")
    var capabilities = platen_camera_capabilities()
    var text = [CChar](repeating: 0, count: 4096)
    let size = stream ?? FrameSize(width: 2048, height: 2048)
    let outcome = ShimOutcome.of { cause, capacity in
      platen_rehearse_controls(
        listed, listed.count, 4096, 4096, UInt32(size.width), UInt32(size.height), &wanted,
        &capabilities, &text, text.count, cause, capacity)
    }
    let told = text.withUnsafeBytes { shimText($0) }
    return Rehearsal(
      outcome: outcome, capabilities: CameraCapabilities(capabilities),
      lines: told.split(separator: "\n").map(String.init))
  }

  private static let fixed = CameraControls(
    exposureMode: .custom(duration: .milliseconds(10), gain: 2),
    whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.5, blue: 2)))

  @Test func `an older camera gets values at the start and modes before values`() throws {
    let told = try rehearse(Self.older, Self.fixed)
    #expect(told.outcome.status == 0)
    // A list that turns the automatic mode off together with the values might undo them.
    #expect(told.values("AeEnable") == ["request 1 AeEnable false"])
    #expect(told.values("AwbEnable") == ["request 1 AwbEnable false"])
    #expect(
      told.values("ExposureTime") == ["start ExposureTime 10000", "request 2 ExposureTime 10000"])
    #expect(
      told.values("AnalogueGain").map { $0.prefix(22) } == [
        "start AnalogueGain 2.0", "request 2 AnalogueGain",
      ])
    #expect(told.values("ColourGains").count == 2)
    #expect(!told.lines.contains { $0.contains("Mode 1") })
  }

  @Test func `a newer camera gets modes together with values`() throws {
    let told = try rehearse(
      Self.newer, CameraControls(exposureMode: .custom(duration: .milliseconds(10), gain: 2)))
    #expect(told.values("ExposureTimeMode").first == "start ExposureTimeMode 1")
    #expect(told.values("AnalogueGainMode").first == "start AnalogueGainMode 1")
    #expect(told.values("ExposureTime").first == "start ExposureTime 10000")
    // AeEnable would set the same mode a second time.
    #expect(told.values("AeEnable").isEmpty)
  }

  @Test(arguments: [true, false]) func `a lock freezes the present values`(isNewer: Bool) throws {
    let told = try rehearse(
      isNewer ? Self.newer : Self.older,
      CameraControls(exposureMode: .locked, whiteBalanceMode: .locked))
    #expect(told.values("ExposureTime").isEmpty && told.values("ColourGains").isEmpty)
    let name = isNewer ? "ExposureTimeMode" : "AeEnable"
    let off = isNewer ? "1" : "false"
    #expect(told.values(name) == ["start \(name) \(off)", "request 1 \(name) \(off)"])
    #expect(told.values("AwbEnable") == ["start AwbEnable false", "request 1 AwbEnable false"])
  }

  @Test(arguments: [true, false]) func `default controls are automatic`(isNewer: Bool)
    throws
  {
    let told = try rehearse(isNewer ? Self.newer : Self.older, CameraControls())
    let name = isNewer ? "ExposureTimeMode" : "AeEnable"
    #expect(told.values(name).first == "start \(name) \(isNewer ? "0" : "true")")
    #expect(told.values("AwbEnable").first == "start AwbEnable true")
    #expect(told.values("AfMode").first == (isNewer ? "start AfMode 2" : nil))
    #expect(told.values("NoiseReductionMode").isEmpty)
  }

  @Test func `a single scan is triggered after its mode`() throws {
    let told = try rehearse(Self.newer, CameraControls(focusMode: .autoFocus))
    #expect(told.values("AfMode") == ["start AfMode 1", "request 1 AfMode 1"])
    #expect(told.values("AfTrigger") == ["request 2 AfTrigger 0"])
    let held = try rehearse(Self.newer, CameraControls(focusMode: .locked(lensPosition: 2.5)))
    #expect(held.values("AfMode").first == "start AfMode 0")
    #expect(held.values("LensPosition").first?.hasPrefix("start LensPosition 2.5") == true)
    let still = try rehearse(Self.newer, CameraControls(focusMode: .locked(lensPosition: nil)))
    #expect(still.values("LensPosition").isEmpty)
  }

  @Test func `a scan of a place has a window in the pixels of the sensor`() throws {
    let wide = FrameSize(width: 1920, height: 1080)
    func window(_ x: Double, _ y: Double, zoom: Double = 1) throws -> String? {
      let told = try rehearse(
        Self.newer,
        CameraControls(
          focusMode: .autoFocusAtPoint(FocusPoint(x: x, y: y)), videoZoomFactor: zoom),
        stream: wide)
      #expect(told.values("AfMetering") == ["start AfMetering 1", "request 1 AfMetering 1"])
      #expect(told.values("AfTrigger") == ["request 2 AfTrigger 0"])
      #expect(told.values("AfWindows").map { $0.prefix(9) } == ["start AfW", "request 1"])
      return told.values("AfWindows").first
    }
    // A 16:9 picture shows 4096x2304 pixels from row 896; the square has a fifth of 2304.
    #expect(try window(0.5, 0.5)?.contains("(1818, 1818)/460x460") == true)
    #expect(try window(0, 0)?.contains("(0, 896)/460x460") == true)
    #expect(try window(1, 1)?.contains("(3636, 2740)/460x460") == true)
    // Half of it, in the middle.
    #expect(try window(0, 0, zoom: 2)?.contains("(1024, 1472)/230x230") == true)
    let free = try rehearse(Self.newer, CameraControls(focusMode: .autoFocus))
    #expect(free.values("AfMetering").first == "start AfMetering 0")
    #expect(free.values("AfWindows").isEmpty)
    let plain = try rehearse(
      Self.newer.filter { "\($0.name)" != "AfWindows" },
      CameraControls(focusMode: .autoFocusAtPoint(FocusPoint(x: 0, y: 0))))
    #expect(plain.outcome.cause == "it has no focus mode \"autoFocusAtPoint\"")
  }

  @Test func `the zoom keeps the stream's proportions`() throws {
    let wide = FrameSize(width: 1920, height: 1080)
    let told = try rehearse(Self.older, CameraControls(videoZoomFactor: 2), stream: wide)
    // 4096 columns of the sensor are 2304 rows of a 16:9 picture; half of both, in the middle.
    let crop = try #require(told.values("ScalerCrop").first)
    #expect(crop.contains("2048x1152"), "\(crop)")
    #expect(crop.contains("1024") && crop.contains("1472"), "\(crop)")
    #expect(told.capabilities.maximumVideoZoomFactor == 4.5)
    let whole = try rehearse(Self.older, CameraControls(), stream: wide)
    #expect(whole.values("ScalerCrop").allSatisfy { $0.contains("4096x2304") })
  }

  @Test func `the flicker has twice the mains frequency`() throws {
    for (avoidance, period) in [
      (CameraControls.FlickerAvoidance.hertz50, "10000"), (.hertz60, "8333"),
    ] {
      let told = try rehearse(Self.newer, CameraControls(flickerAvoidance: avoidance))
      #expect(told.values("AeFlickerMode").first == "start AeFlickerMode 1")
      #expect(told.values("AeFlickerPeriod").first == "start AeFlickerPeriod \(period)")
    }
    let off = try rehearse(Self.newer, CameraControls())
    #expect(off.values("AeFlickerMode").first == "start AeFlickerMode 0")
  }

  @Test func `the noise reduction has libcamera's numbers`() throws {
    for (reduction, number) in [
      (CameraControls.NoiseReduction.minimal, 3), (.fast, 1), (.highQuality, 2),
    ] {
      let told = try rehearse(Self.older, CameraControls(noiseReduction: reduction))
      #expect(told.values("NoiseReductionMode").first == "start NoiseReductionMode \(number)")
    }
  }

  @Test(arguments: ImageControl.allCases)
  func `a control of the image is written by its name and goes back to its default`(
    control: ImageControl
  ) throws {
    let name = control.libcameraName
    let limit = control.range.upperBound
    let set = try rehearse(Self.newer, CameraControls(image: [control: limit]))
    #expect(set.values(name).first?.hasPrefix("start \(name) \(Int(limit)).0") == true)
    #expect(set.values(name).count == 2)
    let unset = try rehearse(Self.newer, CameraControls())
    let standard = String(format: "%.1f", control.unchanged)
    #expect(unset.values(name).first?.hasPrefix("start \(name) \(standard)") == true)
    #expect(unset.values(name).count == 2)
    let missing = try rehearse(Self.older, CameraControls(image: [control: limit]))
    #expect(missing.outcome.cause == "it has no image control \"\(control.rawValue)\"")
    let beyond = try rehearse(Self.newer, CameraControls(image: [control: limit + 1]))
    #expect(beyond.outcome.cause.hasPrefix("\"\(control.rawValue)\" of \(Int(limit) + 1) is not"))
    #expect(beyond.lines.isEmpty)
  }

  @Test func `the listed controls give the capabilities`() throws {
    let newer = try rehearse(Self.newer, CameraControls()).capabilities
    #expect(newer.exposureModes == [.continuousAutoExposure, .locked, .custom])
    #expect(newer.focusModes == [.continuousAutoFocus, .autoFocus, .autoFocusAtPoint, .locked])
    #expect(newer.exposureDurations == .microseconds(100)...(.milliseconds(500)))
    #expect(newer.gains == 1...16)
    #expect(newer.lensPositions == 0...15)
    #expect(newer.flickerAvoidances == [.off, .hertz50, .hertz60])
    let older = try rehearse(Self.older, CameraControls()).capabilities
    #expect(older.focusModes.isEmpty)
    #expect(older.lensPositions == nil)
    #expect(older.flickerAvoidances == [.off])
    #expect(older.frameDurations == .microseconds(8333)...(.seconds(1)))
    let usb = try rehearse(Self.usb, CameraControls()).capabilities
    #expect(usb.exposureModes == [.continuousAutoExposure, .locked, .custom])
    #expect(usb.whiteBalanceModes.isEmpty && usb.maximumVideoZoomFactor == 1)
    let plain = try rehearse(Self.plain, CameraControls())
    let image: [ImageControl: ClosedRange<Double>] = [
      .brightness: -1...1, .contrast: 0...2, .saturation: 0...2,
    ]
    #expect(plain.capabilities == CameraCapabilities(imageControls: image))
    #expect(plain.lines.isEmpty, "a control without a reported default is left alone")
    // libcamera's numbers are of single precision.
    func single(_ number: Double) -> Double { Double(Float(number)) }
    for control in ImageControl.allCases {
      let range = single(control.range.lowerBound)...single(control.range.upperBound)
      #expect(newer.imageControls[control] == range)
    }
  }

  /// Random lists and wishes: an unlisted control is never set, and a refused one neither.
  @Test(arguments: UInt64(1)...300) func `only listed controls are ever set`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let listed = Self.newer.filter { _ in random.next() % 3 != 0 }
    let controls = CameraControls(
      exposureMode: [
        nil, .continuousAutoExposure, .locked, .custom(duration: .milliseconds(20), gain: 3),
      ][
        Int(random.next() % 4)],
      whiteBalanceMode: [
        nil, .continuousAutoWhiteBalance, .locked, .custom(WhiteBalanceGains(red: 2, blue: 1)),
      ][Int(random.next() % 4)],
      focusMode: [
        nil, .continuousAutoFocus, .autoFocus, .locked(lensPosition: nil), .locked(lensPosition: 3),
        .autoFocusAtPoint(FocusPoint(x: 0, y: 1)),
      ][Int(random.next() % 6)],
      videoZoomFactor: random.next() % 2 == 0 ? 1 : 2,
      flickerAvoidance: random.next() % 2 == 0 ? .off : .hertz50,
      noiseReduction: random.next() % 2 == 0 ? nil : .fast,
      image: random.next() % 2 == 0 ? [:] : [.sharpness: 1.5, .brightness: -0.5])
    let told = try rehearse(listed, controls)
    // The shim refuses exactly what its capabilities say, in the same words.
    let refusal = told.capabilities.refusal(of: controls)
    #expect((told.outcome.status == 0) == (refusal == nil), "seed \(seed): \(told.outcome)")
    #expect(told.outcome.cause == refusal ?? "", "seed \(seed)")
    let names = Set(listed.map { "\($0.name)" })
    for line in told.lines {
      let words = line.split(separator: " ")
      let name = words[0] == "start" ? words[1] : words[2]
      #expect(names.contains(String(name)), "seed \(seed): \(line)")
    }
    if refusal != nil { #expect(told.lines.isEmpty, "seed \(seed)") }
  }

  private func frame(_ metadata: [Control]) throws -> FrameInfo {
    let values = metadata.map(\.shim)
    var frame = platen_camera_frame_info()
    try #require(platen_rehearse_frame(values, values.count, &frame) == 0)
    return FrameInfo(frame, readoutDuration: .zero)
  }

  @Test func `metadata are read by name`() throws {
    let info = try frame([
      Control("ColourGains", PLATEN_REHEARSAL_TWO_FLOATS, 0...1.5),
      Control("ColourTemperature", Self.whole, 0...4600),
      Control("AfState", Self.whole, 0...2), Control("AwbLocked", Self.bool, 0...1),
      Control("ScalerCrop", PLATEN_REHEARSAL_RECTANGLE, 0...800),
    ])
    #expect(info.whiteBalanceGains == WhiteBalanceGains(red: 1.5, blue: 1.5))
    #expect(info.colorTemperature == 4600)
    #expect(info.focusState == .focused)
    #expect(info.whiteBalanceState == .converged)
    #expect(info.crop?.size == FrameSize(width: 800, height: 800))
    #expect(info.exposureState == nil)
    let silent = try frame([])
    #expect(silent.focusState == nil && silent.whiteBalanceGains == nil && silent.crop == nil)
  }

  @Test(arguments: [(0.0, AdjustmentState.locked), (1, .searching), (2, .converged)])
  func `the exposure's state is read`(number: Double, state: AdjustmentState) throws {
    let info = try frame([Control("AeState", Self.whole, 0...number)])
    #expect(info.exposureState == state)
  }
}
