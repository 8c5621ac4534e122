extension CameraCapabilities {
  /// Returns the reason that a camera with these capabilities refuses some controls.
  ///
  /// The reason is a clause that names the first missing control; `nil` when the camera has all of
  /// them. A limit that the camera does not report is no reason; a number that no camera can have
  /// is.
  package func refusal(of controls: CameraControls) -> String? {
    exposureRefusal(of: controls) ?? whiteBalanceRefusal(of: controls)
      ?? focusRefusal(of: controls) ?? zoomRefusal(of: controls)
      ?? missing(
        "flicker avoidance",
        controls.flickerAvoidance == .off ? nil : controls.flickerAvoidance, in: flickerAvoidances)
      ?? missing("noise reduction", controls.noiseReduction, in: noiseReductions)
      ?? imageRefusal(of: controls)
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

  private func exposureRefusal(of controls: CameraControls) -> String? {
    if let reason = missing("exposure mode", controls.exposureMode?.kind, in: exposureModes) {
      return reason
    }
    guard case .custom(let duration, let gain)? = controls.exposureMode else { return nil }
    guard duration > .zero else { return "an exposure duration of \(duration) is none" }
    if let exposureDurations, !exposureDurations.contains(duration) {
      return "an exposure duration of \(duration) is not within \(exposureDurations)"
    }
    return outside("a gain", gain, of: gains)
  }

  private func whiteBalanceRefusal(of controls: CameraControls) -> String? {
    let mode = controls.whiteBalanceMode
    if let reason = missing("white-balance mode", mode?.kind, in: whiteBalanceModes) {
      return reason
    }
    guard case .custom(let gains)? = mode else { return nil }
    return outside("a white-balance gain", gains.red, of: whiteBalanceGains)
      ?? outside("a white-balance gain", gains.blue, of: whiteBalanceGains)
  }

  private func focusRefusal(of controls: CameraControls) -> String? {
    if let reason = missing("focus mode", controls.focusMode?.kind, in: focusModes) {
      return reason
    }
    guard case .locked(let position?)? = controls.focusMode else { return nil }
    guard let lensPositions else { return "it has no control of the lens position" }
    guard lensPositions.contains(position) else {
      return "a lens position of \(position) is not within \(lensPositions)"
    }
    return nil
  }

  private func zoomRefusal(of controls: CameraControls) -> String? {
    let zoom = controls.videoZoomFactor
    if zoom == 1 { return nil }
    guard maximumVideoZoomFactor > 1 else { return "it has no video zoom" }
    guard zoom >= 1, zoom <= maximumVideoZoomFactor else {
      return "a video zoom factor of \(zoom) is not within 1.0...\(maximumVideoZoomFactor)"
    }
    return nil
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

  private func missing<Kind: RawRepresentable<String> & Hashable>(
    _ name: String, _ wanted: Kind?, in available: Set<Kind>
  ) -> String? {
    guard let wanted, !available.contains(wanted) else { return nil }
    return "it has no \(name) \"\(wanted.rawValue)\""
  }

  private func outside(
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
