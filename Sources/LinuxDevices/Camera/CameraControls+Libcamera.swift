import CLibcameraShim
import Devices

extension CameraControls {
  /// Returns the controls as the shim takes them.
  ///
  /// - Throws: ``DeviceError``, code `unsupported`, for numbers that the shim cannot take.
  func shimControls(for device: String) throws(DeviceError) -> platen_camera_controls {
    // libcamera counts microseconds in 32 bits.
    guard longestExposure <= .seconds(2147) else {
      throw DeviceError(
        .unsupported, device: device, problem: DeviceError.cannotBeControlled,
        cause: "an exposure duration of \(longestExposure) is too long")
    }
    var controls = platen_camera_controls()
    let choices = CameraControl.allCases.compactMap { platen_camera_choice($0, of: self) }
    withUnsafeMutableBytes(of: &controls.choices) { bytes in
      let slots = bytes.bindMemory(to: platen_camera_choice.self)
      for (slot, choice) in zip(slots.indices, choices) { slots[slot] = choice }
    }
    controls.choice_count = UInt32(choices.count)
    // The shim uses 0 for "not set", so it must not come from a caller.
    controls.zoom = videoZoomFactor == 0 ? -1 : videoZoomFactor
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

extension platen_camera_choice {
  /// Makes the choice of a control's word with its numbers; `nil` when the control has no word.
  fileprivate init?(_ control: CameraControl, of controls: CameraControls) {
    guard let word = control.word(in: controls) else { return nil }
    let wanted = control.numbers(in: controls)
    self.init()
    withUnsafeMutableBytes(of: &self.control) { write(control.name, to: $0) }
    withUnsafeMutableBytes(of: &self.word) { write(word, to: $0) }
    withUnsafeMutableBytes(of: &numbers) { bytes in
      let slots = bytes.bindMemory(to: Double.self)
      for (slot, number) in zip(slots.indices, wanted) { slots[slot] = number }
    }
    number_count = UInt32(wanted.count)
  }
}

extension platen_camera_image_control {
  /// Makes a control with its value; `nil` stands for the camera's default.
  fileprivate init(_ control: ImageControl, _ value: Double?) {
    self.init()
    withUnsafeMutableBytes(of: &name) { write(control.libcameraName, to: $0) }
    withUnsafeMutableBytes(of: &word) { write(control.rawValue, to: $0) }
    self.value = value ?? 0
    is_set = value == nil ? 0 : 1
  }
}

private func write(_ text: String, to bytes: UnsafeMutableRawBufferPointer) {
  bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
}
