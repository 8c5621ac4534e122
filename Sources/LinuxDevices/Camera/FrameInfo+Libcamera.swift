import CLibcameraShim
import Devices

extension FrameInfo {
  /// Reads what the shim says of a finished frame.
  init(_ frame: platen_camera_frame_info, readoutDuration: Duration) {
    func has(_ field: Int) -> Bool { Int(frame.present) & field != 0 }
    self.init(
      id: frame.id, sequence: frame.sequence,
      timestamp: MonotonicInstant(nanoseconds: frame.timestamp_ns),
      exposureDuration: has(PLATEN_CAMERA_HAS_EXPOSURE) ? .nanoseconds(frame.exposure_ns) : nil,
      readoutDuration: readoutDuration,
      frameDuration: has(PLATEN_CAMERA_HAS_FRAME_DURATION)
        ? .nanoseconds(frame.frame_duration_ns) : nil,
      analogueGain: has(PLATEN_CAMERA_HAS_ANALOGUE_GAIN) ? frame.analogue_gain : nil,
      digitalGain: has(PLATEN_CAMERA_HAS_DIGITAL_GAIN) ? frame.digital_gain : nil,
      lensPosition: has(PLATEN_CAMERA_HAS_LENS_POSITION) ? frame.lens_position : nil)
  }
}
