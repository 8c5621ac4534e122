import CLibcameraShim
import Devices

extension CameraControls {
  /// Returns the controls as the shim takes them.
  ///
  /// - Throws: ``DeviceError``, code `unsupported`, for numbers that the shim cannot take.
  func shimControls(for device: String) throws(DeviceError) -> platen_camera_controls {
    func refuse(_ cause: String) -> DeviceError {
      DeviceError(
        .unsupported, device: device, problem: DeviceError.cannotBeControlled, cause: cause)
    }
    var controls = platen_camera_controls()
    switch exposureMode {
    case nil: controls.exposure_mode = PLATEN_CAMERA_EXPOSURE_OWN.rawValue
    case .continuousAutoExposure: controls.exposure_mode = PLATEN_CAMERA_EXPOSURE_AUTO.rawValue
    case .locked: controls.exposure_mode = PLATEN_CAMERA_EXPOSURE_LOCKED.rawValue
    case .custom(let duration, let gain):
      // libcamera counts microseconds in 32 bits.
      guard duration <= .seconds(2147) else {
        throw refuse("an exposure duration of \(duration) is too long")
      }
      controls.exposure_mode = PLATEN_CAMERA_EXPOSURE_CUSTOM.rawValue
      controls.exposure_ns = duration < .zero ? -1 : duration.wholeNanoseconds
      controls.gain = gain
    }
    switch whiteBalanceMode {
    case nil: controls.white_balance_mode = PLATEN_CAMERA_WHITE_BALANCE_OWN.rawValue
    case .continuousAutoWhiteBalance:
      controls.white_balance_mode = PLATEN_CAMERA_WHITE_BALANCE_AUTO.rawValue
    case .locked: controls.white_balance_mode = PLATEN_CAMERA_WHITE_BALANCE_LOCKED.rawValue
    case .custom(let gains):
      controls.white_balance_mode = PLATEN_CAMERA_WHITE_BALANCE_CUSTOM.rawValue
      controls.red_gain = gains.red
      controls.blue_gain = gains.blue
    }
    switch focusMode {
    case nil: controls.focus_mode = PLATEN_CAMERA_FOCUS_OWN.rawValue
    case .continuousAutoFocus: controls.focus_mode = PLATEN_CAMERA_FOCUS_CONTINUOUS.rawValue
    case .autoFocus: controls.focus_mode = PLATEN_CAMERA_FOCUS_AUTO.rawValue
    case .locked(let position):
      controls.focus_mode = PLATEN_CAMERA_FOCUS_LOCKED.rawValue
      controls.has_lens_position = position == nil ? 0 : 1
      controls.lens_position = position ?? 0
    }
    // The shim uses 0 for "not set", so it must not come from a caller.
    controls.zoom = videoZoomFactor == 0 ? -1 : videoZoomFactor
    controls.flicker_hz = UInt32(flickerAvoidance.hertz ?? 0)
    controls.noise_reduction =
      switch noiseReduction {
      case nil: PLATEN_CAMERA_NOISE_REDUCTION_OWN.rawValue
      case .minimal: PLATEN_CAMERA_NOISE_REDUCTION_MINIMAL.rawValue
      case .fast: PLATEN_CAMERA_NOISE_REDUCTION_FAST.rawValue
      case .highQuality: PLATEN_CAMERA_NOISE_REDUCTION_HIGH_QUALITY.rawValue
      }
    withUnsafeMutableBytes(of: &controls.image) { bytes in
      let slots = bytes.bindMemory(to: platen_camera_image_control.self)
      for (slot, control) in zip(slots.indices, ImageControl.allCases) {
        slots[slot] = platen_camera_image_control(control, image[control])
      }
    }
    controls.image_count = UInt32(ImageControl.allCases.count)
    return controls
  }
}

extension platen_camera_image_control {
  /// Makes a control with its value; `nil` stands for the camera's default.
  fileprivate init(_ control: ImageControl, _ value: Double?) {
    self.init()
    withUnsafeMutableBytes(of: &name) { Self.write(control.libcameraName, to: $0) }
    withUnsafeMutableBytes(of: &word) { Self.write(control.rawValue, to: $0) }
    self.value = value ?? 0
    is_set = value == nil ? 0 : 1
  }

  private static func write(_ text: String, to bytes: UnsafeMutableRawBufferPointer) {
    bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
  }
}
