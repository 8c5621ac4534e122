import CLibcameraShim
import Devices
import Testing

@testable import LinuxDevices

@Suite struct CameraControlsLibcameraTests {
  /// A wanted word with its numbers.
  private struct Choice: Equatable {
    var word: String
    var numbers: [Double] = []
  }

  /// The wanted words by their controls.
  private func choices(_ shim: platen_camera_controls) -> [String: Choice] {
    withUnsafeBytes(of: shim.choices) { bytes in
      let wanted = bytes.bindMemory(to: platen_camera_choice.self).prefix(Int(shim.choice_count))
      return Dictionary(
        uniqueKeysWithValues: wanted.map {
          let numbers = [$0.numbers.0, $0.numbers.1].prefix(Int($0.number_count))
          return (
            shimText(of: $0.control), Choice(word: shimText(of: $0.word), numbers: Array(numbers))
          )
        })
    }
  }

  @Test func `default controls leave all to the camera`() throws {
    let shim = try CameraControls().shimControls(for: "c")
    #expect(choices(shim) == ["flicker avoidance": Choice(word: "off")])
    #expect(shim.zoom == 1)
  }

  @Test func `all controls are handed over`() throws {
    let controls = CameraControls(
      exposureMode: .custom(duration: .microseconds(12_500), gain: 1.5),
      whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.8, blue: 1.6)),
      focusMode: .locked(lensPosition: 2.25), videoZoomFactor: 1.2, flickerAvoidance: .hertz60,
      noiseReduction: .highQuality)
    let shim = try controls.shimControls(for: "c")
    #expect(
      choices(shim) == [
        "exposure mode": Choice(word: "custom", numbers: [12_500_000, 1.5]),
        "white-balance mode": Choice(word: "custom", numbers: [1.8, 1.6]),
        "focus mode": Choice(word: "locked", numbers: [2.25]),
        "flicker avoidance": Choice(word: "60"),
        "noise reduction": Choice(word: "highQuality"),
      ])
    #expect(shim.zoom == 1.2)
  }

  @Test(arguments: CameraControl.allCases)
  func `the words of a control have room`(control: CameraControl) {
    let texts = [control.name] + control.words
    #expect(texts.allSatisfy { $0.utf8.count < PLATEN_CAMERA_CONTROL_NAME_MAX })
  }

  @Test func `a number cannot stand for a missing control`() throws {
    let zoomed = try CameraControls(videoZoomFactor: 0).shimControls(for: "c")
    #expect(zoomed.zoom < 0)
    let held = try CameraControls(focusMode: .locked(lensPosition: nil)).shimControls(for: "c")
    #expect(choices(held)["focus mode"] == Choice(word: "locked"))
    let long = CameraControls(exposureMode: .custom(duration: .seconds(3000), gain: 1))
    let error = #expect(throws: DeviceError.self) { try long.shimControls(for: "c") }
    #expect(error?.code == .unsupported)
  }

  @Test func `every control of the image is handed over by its name`() throws {
    let shim = try CameraControls(image: [.exposureCompensation: -1.5]).shimControls(for: "c")
    #expect(Int(shim.image_count) == ImageControl.allCases.count)
    #expect(ImageControl.allCases.count <= PLATEN_CAMERA_IMAGE_CONTROLS_MAX)
    #expect(shimText(of: shim.image.0.name) == "ExposureValue")
    #expect(shimText(of: shim.image.0.word) == "exposureCompensation")
    #expect(shim.image.0.value == -1.5 && shim.image.0.is_set == 1)
    #expect(shimText(of: shim.image.1.name) == "Brightness" && shim.image.1.is_set == 0)
    for control in ImageControl.allCases {
      #expect(control.libcameraName.utf8.count < PLATEN_CAMERA_CONTROL_NAME_MAX)
      #expect(control.rawValue.utf8.count < PLATEN_CAMERA_CONTROL_NAME_MAX)
    }
  }

  /// The shim's capabilities of a camera with some words, and without limits.
  private func shim(_ offers: [platen_camera_offer]) -> platen_camera_capabilities {
    var shim = platen_camera_capabilities()
    shim.zoom_maximum = 1
    shim.frame_duration_ns = platen_camera_range(minimum: 1, maximum: 0)
    withUnsafeMutableBytes(of: &shim.offers) { bytes in
      let slots = bytes.bindMemory(to: platen_camera_offer.self)
      for (slot, offer) in zip(slots.indices, offers) { slots[slot] = offer }
    }
    shim.offer_count = UInt32(offers.count)
    return shim
  }

  private func offer(
    _ control: String, _ word: String, _ ranges: [ClosedRange<Double>] = []
  ) -> platen_camera_offer {
    var offer = platen_camera_offer()
    withUnsafeMutableBytes(of: &offer.control) { $0.copyBytes(from: control.utf8) }
    withUnsafeMutableBytes(of: &offer.word) { $0.copyBytes(from: word.utf8) }
    let limits = ranges.map { platen_camera_range(minimum: $0.lowerBound, maximum: $0.upperBound) }
    if let first = limits.first { offer.ranges.0 = first }
    if limits.count > 1 { offer.ranges.1 = limits[1] }
    offer.number_count = UInt32(limits.count)
    return offer
  }

  @Test(arguments: CameraControl.allCases)
  func `each word is one capability`(control: CameraControl) {
    #expect(CameraCapabilities(shim([])) == CameraCapabilities())
    for word in control.words {
      var expected = CameraCapabilities()
      control.insert(word, into: &expected)
      #expect(CameraCapabilities(shim([offer(control.name, word)])) == expected)
    }
  }

  @Test func `an unknown word is skipped`() {
    let strange = shim([offer("focus mode", "guessed"), offer("mood", "auto")])
    #expect(CameraCapabilities(strange) == CameraCapabilities())
  }

  @Test func `the limits are read`() {
    var shim = shim([
      offer("exposure mode", "custom", [20_000...1e30, 1...16]),
      offer("white-balance mode", "custom", [0.5...4, 0.5...4]),
      offer("focus mode", "locked", [0...15]),
    ])
    shim.zoom_maximum = 8
    shim.frame_duration_ns = platen_camera_range(minimum: 8_333_333, maximum: 1e9)
    let capabilities = CameraCapabilities(shim)
    #expect(capabilities.exposureDurations?.lowerBound == .microseconds(20))
    #expect(capabilities.exposureDurations.map { $0.upperBound > .seconds(3600) } == true)
    #expect(capabilities.gains == 1...16)
    #expect(capabilities.whiteBalanceGains == 0.5...4)
    #expect(capabilities.lensPositions == 0...15)
    #expect(capabilities.maximumVideoZoomFactor == 8)
    #expect(capabilities.frameDurations == .nanoseconds(8_333_333)...(.seconds(1)))
  }

  @Test func `a lens without limits can be placed`() {
    var free = offer("focus mode", "locked", [0...1])
    free.ranges.0 = platen_camera_range(minimum: 1, maximum: 0)
    #expect(CameraCapabilities(shim([free])).lensPositions?.lowerBound == 0)
    #expect(CameraCapabilities(shim([offer("focus mode", "locked")])).lensPositions == nil)
  }

  @Test func `a frame's controls are read`() {
    var frame = platen_camera_frame_info()
    frame.exposure_state = PLATEN_CAMERA_ADJUSTMENT_CONVERGED.rawValue
    frame.white_balance_state = PLATEN_CAMERA_ADJUSTMENT_SEARCHING.rawValue
    frame.focus_state = PLATEN_CAMERA_FOCUS_STATE_SCANNING.rawValue
    frame.red_gain = 1.8
    frame.blue_gain = 1.6
    frame.color_temperature = 4600
    (frame.crop_left, frame.crop_top, frame.crop_width, frame.crop_height) = (10, 20, 300, 200)
    frame.zoom = 1.5
    let silent = FrameInfo(frame, readoutDuration: .zero)
    #expect(silent.whiteBalanceGains == nil && silent.colorTemperature == nil)
    #expect(silent.crop == nil && silent.videoZoomFactor == nil)
    frame.present = UInt32(
      PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS | PLATEN_CAMERA_HAS_COLOR_TEMPERATURE
        | PLATEN_CAMERA_HAS_CROP | PLATEN_CAMERA_HAS_ZOOM)
    let info = FrameInfo(frame, readoutDuration: .zero)
    #expect(info.exposureState == .converged)
    #expect(info.whiteBalanceState == .searching)
    #expect(info.focusState == .scanning)
    #expect(info.whiteBalanceGains == WhiteBalanceGains(red: 1.8, blue: 1.6))
    #expect(info.colorTemperature == 4600)
    #expect(
      info.crop == SensorRegion(left: 10, top: 20, size: FrameSize(width: 300, height: 200)))
    #expect(info.videoZoomFactor == 1.5)
  }

  @Test(arguments: UInt32(0)...6) func `the states are read`(value: UInt32) {
    let adjustments: [AdjustmentState?] = [nil, .searching, .converged, .locked]
    let focus: [FocusState?] = [nil, .idle, .scanning, .focused, .failed]
    let index = Int(value)
    #expect(AdjustmentState(shimValue: value) == (index < 4 ? adjustments[index] : nil))
    #expect(FocusState(shimValue: value) == (index < 5 ? focus[index] : nil))
  }
}
