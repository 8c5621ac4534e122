import CLibcameraShim
import Devices

extension FrameInfo {
  /// Reads the shim's description of a finished frame, without numbers that are not finite.
  init(_ frame: platen_camera_frame_info, readoutDuration: Duration) {
    func has(_ field: Int) -> Bool { Int(frame.present) & field != 0 }
    func number(_ value: Double, _ field: Int) -> Double? {
      has(field) && value.isFinite ? value : nil
    }
    self.init(
      id: frame.id, sequence: frame.sequence,
      timestamp: MonotonicInstant(nanoseconds: frame.timestamp_ns),
      exposureDuration: has(PLATEN_CAMERA_HAS_EXPOSURE) ? .nanoseconds(frame.exposure_ns) : nil,
      readoutDuration: readoutDuration,
      frameDuration: has(PLATEN_CAMERA_HAS_FRAME_DURATION)
        ? .nanoseconds(frame.frame_duration_ns) : nil,
      analogueGain: number(frame.analogue_gain, PLATEN_CAMERA_HAS_ANALOGUE_GAIN),
      digitalGain: number(frame.digital_gain, PLATEN_CAMERA_HAS_DIGITAL_GAIN),
      lensPosition: number(frame.lens_position, PLATEN_CAMERA_HAS_LENS_POSITION))
    isTimestampKnown = frame.clock != PLATEN_CAMERA_CLOCK_UNKNOWN.rawValue
    exposureState = AdjustmentState(shimValue: frame.exposure_state)
    whiteBalanceState = AdjustmentState(shimValue: frame.white_balance_state)
    focusState = FocusState(shimValue: frame.focus_state)
    if let red = number(frame.red_gain, PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS),
      let blue = number(frame.blue_gain, PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS)
    {
      whiteBalanceGains = WhiteBalanceGains(red: red, blue: blue)
    }
    if has(PLATEN_CAMERA_HAS_COLOR_TEMPERATURE) {
      colorTemperature = Int(frame.color_temperature)
    }
    if has(PLATEN_CAMERA_HAS_CROP) {
      crop = SensorRegion(
        left: Int(frame.crop_left), top: Int(frame.crop_top),
        size: FrameSize(width: Int(frame.crop_width), height: Int(frame.crop_height)))
    }
    videoZoomFactor = number(frame.zoom, PLATEN_CAMERA_HAS_ZOOM)
  }
}

extension AdjustmentState {
  /// Makes the state of the shim's number; `nil` when the camera does not report it.
  init?(shimValue: UInt32) {
    switch shimValue {
    case PLATEN_CAMERA_ADJUSTMENT_SEARCHING.rawValue: self = .searching
    case PLATEN_CAMERA_ADJUSTMENT_CONVERGED.rawValue: self = .converged
    case PLATEN_CAMERA_ADJUSTMENT_LOCKED.rawValue: self = .locked
    default: return nil
    }
  }
}

extension FocusState {
  /// Makes the state of the shim's number; `nil` when the camera does not report it.
  init?(shimValue: UInt32) {
    switch shimValue {
    case PLATEN_CAMERA_FOCUS_STATE_IDLE.rawValue: self = .idle
    case PLATEN_CAMERA_FOCUS_STATE_SCANNING.rawValue: self = .scanning
    case PLATEN_CAMERA_FOCUS_STATE_FOCUSED.rawValue: self = .focused
    case PLATEN_CAMERA_FOCUS_STATE_FAILED.rawValue: self = .failed
    default: return nil
    }
  }
}
