extension CameraCapabilities {
  /// Returns the reason that a camera with these capabilities refuses some controls.
  ///
  /// The reason is a clause that names the first missing control; `nil` when the camera has all of
  /// them. A limit that the camera does not report is no reason; a number that no camera can have
  /// is.
  package func refusal(of controls: CameraControls) -> String? {
    for control in CameraControl.allCases {
      guard let word = control.word(in: controls) else { continue }
      guard control.valueType.words(of: self).contains(word) else {
        return "it has no \(control.name) \"\(word)\""
      }
    }
    for control in CameraControl.allCases {
      if let reason = control.value(in: controls).refusal(by: self) { return reason }
    }
    return imageRefusal(of: controls)
  }

  /// Refuses controls that a camera with these capabilities lacks.
  ///
  /// - Throws: ``DeviceError``, code `unsupported`, with the first missing control.
  package func require(_ controls: CameraControls, device: String) throws(DeviceError) {
    if let cause = refusal(of: controls) {
      throw DeviceError(
        .unsupported, device: device, problem: DeviceError.cannotBeControlled, cause: cause)
    }
  }

  private func imageRefusal(of controls: CameraControls) -> String? {
    for control in ImageControl.allCases {
      guard let value = controls.image[control] else { continue }
      let name = "\"\(control.rawValue)\""
      guard let range = imageControls[control] else { return "it has no image control \(name)" }
      guard value.isFinite else { return "\(name) of \(value) is none" }
      // libcamera's numbers are of single precision.
      let isWithin =
        Float(range.lowerBound) <= Float(value) && Float(value) <= Float(range.upperBound)
      guard isWithin else { return "\(name) of \(value) is not within \(range)" }
    }
    return nil
  }

  /// Returns the reason that a number is outside a camera's range; `nil` when it is inside.
  static func outside(
    _ name: String, _ value: Double, of range: ClosedRange<Double>?
  ) -> String? {
    guard value > 0, value.isFinite else { return "\(name) of \(value) is none" }
    guard let range, !range.contains(value) else { return nil }
    return "\(name) of \(value) is not within \(range)"
  }
}

extension DeviceError {
  /// The problem of a camera that refuses ``CameraControls``.
  package static let cannotBeControlled = "cannot be controlled like this"
}
