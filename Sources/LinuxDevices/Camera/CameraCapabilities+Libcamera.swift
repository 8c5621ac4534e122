import CLibcameraShim
import Devices

extension CameraCapabilities {
  /// Reads the shim's capabilities of a camera.
  init(_ shim: platen_camera_capabilities) {
    func choices<Choice: Hashable>(_ pairs: [(Int, Choice)]) -> Set<Choice> {
      Set(pairs.filter { Int(shim.can) & $0.0 != 0 }.map(\.1))
    }
    self.init(
      exposureModes: choices([
        (PLATEN_CAMERA_CAN_EXPOSURE_AUTO, .continuousAutoExposure),
        (PLATEN_CAMERA_CAN_EXPOSURE_LOCKED, .locked),
        (PLATEN_CAMERA_CAN_EXPOSURE_CUSTOM, .custom),
      ]),
      exposureDurations: Self.durations(shim.exposure_ns), gains: Self.numbers(shim.gain),
      whiteBalanceModes: choices([
        (PLATEN_CAMERA_CAN_WHITE_BALANCE_AUTO, .continuousAutoWhiteBalance),
        (PLATEN_CAMERA_CAN_WHITE_BALANCE_LOCKED, .locked),
        (PLATEN_CAMERA_CAN_WHITE_BALANCE_CUSTOM, .custom),
      ]),
      whiteBalanceGains: Self.numbers(shim.white_balance_gain),
      focusModes: choices([
        (PLATEN_CAMERA_CAN_FOCUS_CONTINUOUS, .continuousAutoFocus),
        (PLATEN_CAMERA_CAN_FOCUS_AUTO, .autoFocus), (PLATEN_CAMERA_CAN_FOCUS_LOCKED, .locked),
      ]),
      maximumVideoZoomFactor: shim.zoom_maximum,
      flickerAvoidances: choices([
        (PLATEN_CAMERA_CAN_AVOID_FLICKER, .hertz50), (PLATEN_CAMERA_CAN_AVOID_FLICKER, .hertz60),
      ]),
      noiseReductions: choices([
        (PLATEN_CAMERA_CAN_NOISE_REDUCTION_MINIMAL, .minimal),
        (PLATEN_CAMERA_CAN_NOISE_REDUCTION_FAST, .fast),
        (PLATEN_CAMERA_CAN_NOISE_REDUCTION_HIGH_QUALITY, .highQuality),
      ]),
      imageControls: Self.imageControls(shim),
      frameDurations: Self.durations(shim.frame_duration_ns))
    flickerAvoidances.insert(.off)
    if Int(shim.can) & PLATEN_CAMERA_CAN_LENS_POSITION != 0 {
      lensPositions = Self.numbers(shim.lens_position) ?? 0...(.greatestFiniteMagnitude)
    }
  }

  private static func imageControls(
    _ shim: platen_camera_capabilities
  ) -> [ImageControl: ClosedRange<Double>] {
    withUnsafeBytes(of: shim.real) { bytes in
      let listed = bytes.bindMemory(to: platen_camera_real_control.self)
        .prefix(Int(shim.real_count))
      var found: [ImageControl: ClosedRange<Double>] = [:]
      for real in listed {
        let name = shimText(of: real.name)
        guard let control = ImageControl.allCases.first(where: { $0.libcameraName == name })
        else { continue }
        found[control] = numbers(real.range) ?? control.range
      }
      return found
    }
  }

  private static func numbers(_ range: platen_camera_range) -> ClosedRange<Double>? {
    range.minimum <= range.maximum ? range.minimum...range.maximum : nil
  }

  private static func durations(_ range: platen_camera_range) -> ClosedRange<Duration>? {
    // A duration of more than a few hours is a driver's way of saying "any".
    let longest = 1e14
    guard let numbers = numbers(range), numbers.lowerBound >= 0 else { return nil }
    func duration(_ nanoseconds: Double) -> Duration {
      .nanoseconds(Int64(min(nanoseconds, longest).rounded()))
    }
    return duration(numbers.lowerBound)...duration(numbers.upperBound)
  }
}
