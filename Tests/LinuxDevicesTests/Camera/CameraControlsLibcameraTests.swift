import CLibcameraShim
import Devices
import Testing

@testable import LinuxDevices

@Suite struct CameraControlsLibcameraTests {
  @Test func `default controls are zero and without zoom`() throws {
    let shim = try CameraControls().shimControls(for: "c")
    #expect(shim.exposure_mode == PLATEN_CAMERA_EXPOSURE_OWN.rawValue)
    #expect(shim.white_balance_mode == PLATEN_CAMERA_WHITE_BALANCE_OWN.rawValue)
    #expect(shim.focus_mode == PLATEN_CAMERA_FOCUS_OWN.rawValue)
    #expect(shim.noise_reduction == PLATEN_CAMERA_NOISE_REDUCTION_OWN.rawValue)
    #expect(shim.flicker_hz == 0)
    #expect(shim.zoom == 1)
  }

  @Test func `all controls are handed over`() throws {
    let controls = CameraControls(
      exposureMode: .custom(duration: .microseconds(12_500), gain: 1.5),
      whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.8, blue: 1.6)),
      focusMode: .locked(lensPosition: 2.25), videoZoomFactor: 1.2, flickerAvoidance: .hertz60,
      noiseReduction: .highQuality)
    let shim = try controls.shimControls(for: "c")
    #expect(shim.exposure_mode == PLATEN_CAMERA_EXPOSURE_CUSTOM.rawValue)
    #expect(shim.exposure_ns == 12_500_000)
    #expect(shim.gain == 1.5)
    #expect(shim.white_balance_mode == PLATEN_CAMERA_WHITE_BALANCE_CUSTOM.rawValue)
    #expect([shim.red_gain, shim.blue_gain] == [1.8, 1.6])
    #expect(shim.focus_mode == PLATEN_CAMERA_FOCUS_LOCKED.rawValue)
    #expect(shim.has_lens_position == 1)
    #expect(shim.lens_position == 2.25)
    #expect(shim.zoom == 1.2)
    #expect(shim.flicker_hz == 60)
    #expect(shim.noise_reduction == PLATEN_CAMERA_NOISE_REDUCTION_HIGH_QUALITY.rawValue)
  }

  @Test func `a number cannot stand for a missing control`() throws {
    let zoomed = try CameraControls(videoZoomFactor: 0).shimControls(for: "c")
    #expect(zoomed.zoom < 0)
    let held = try CameraControls(focusMode: .locked(lensPosition: nil)).shimControls(for: "c")
    #expect(held.has_lens_position == 0)
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

  @Test func `each bit is one capability`() {
    var nothing = platen_camera_capabilities()
    nothing.zoom_maximum = 1
    for range in [
      \platen_camera_capabilities.exposure_ns, \.gain, \.white_balance_gain, \.lens_position,
      \.frame_duration_ns,
    ] {
      nothing[keyPath: range] = platen_camera_range(minimum: 1, maximum: 0)
    }
    #expect(CameraCapabilities(nothing) == CameraCapabilities())
    func with(_ bit: Int) -> CameraCapabilities {
      var shim = nothing
      shim.can = UInt32(bit)
      return CameraCapabilities(shim)
    }
    #expect(with(PLATEN_CAMERA_CAN_EXPOSURE_AUTO).exposureModes == [.continuousAutoExposure])
    #expect(with(PLATEN_CAMERA_CAN_EXPOSURE_LOCKED).exposureModes == [.locked])
    #expect(with(PLATEN_CAMERA_CAN_EXPOSURE_CUSTOM).exposureModes == [.custom])
    #expect(
      with(PLATEN_CAMERA_CAN_WHITE_BALANCE_AUTO).whiteBalanceModes == [.continuousAutoWhiteBalance])
    #expect(with(PLATEN_CAMERA_CAN_WHITE_BALANCE_LOCKED).whiteBalanceModes == [.locked])
    #expect(with(PLATEN_CAMERA_CAN_WHITE_BALANCE_CUSTOM).whiteBalanceModes == [.custom])
    #expect(with(PLATEN_CAMERA_CAN_FOCUS_CONTINUOUS).focusModes == [.continuousAutoFocus])
    #expect(with(PLATEN_CAMERA_CAN_FOCUS_AUTO).focusModes == [.autoFocus])
    #expect(with(PLATEN_CAMERA_CAN_FOCUS_LOCKED).focusModes == [.locked])
    #expect(with(PLATEN_CAMERA_CAN_LENS_POSITION).lensPositions != nil)
    #expect(
      with(PLATEN_CAMERA_CAN_AVOID_FLICKER).flickerAvoidances == [.off, .hertz50, .hertz60])
    #expect(with(PLATEN_CAMERA_CAN_NOISE_REDUCTION_MINIMAL).noiseReductions == [.minimal])
    #expect(with(PLATEN_CAMERA_CAN_NOISE_REDUCTION_FAST).noiseReductions == [.fast])
    #expect(with(PLATEN_CAMERA_CAN_NOISE_REDUCTION_HIGH_QUALITY).noiseReductions == [.highQuality])
  }

  @Test func `the limits are read`() {
    var shim = platen_camera_capabilities()
    shim.zoom_maximum = 8
    shim.exposure_ns = platen_camera_range(minimum: 20_000, maximum: 1e30)
    shim.gain = platen_camera_range(minimum: 1, maximum: 16)
    shim.frame_duration_ns = platen_camera_range(minimum: 8_333_333, maximum: 1e9)
    let capabilities = CameraCapabilities(shim)
    #expect(capabilities.exposureDurations?.lowerBound == .microseconds(20))
    #expect(capabilities.exposureDurations.map { $0.upperBound > .seconds(3600) } == true)
    #expect(capabilities.gains == 1...16)
    #expect(capabilities.maximumVideoZoomFactor == 8)
    #expect(capabilities.frameDurations == .nanoseconds(8_333_333)...(.seconds(1)))
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
