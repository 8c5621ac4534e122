package import Devices

/// The values that a camera's automatics settled on.
///
/// The calibration is stored under the camera's ID and used at the next start, so that the first
/// frame is right already. A value is `nil` where the camera does not report it, or has not yet.
package struct CameraCalibration: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The exposure duration of each row.
  package var exposureDuration: Duration?
  /// The whole gain as a factor, including the gain applied behind the converter.
  package var analogueGain: Double?
  /// The gains of red and blue.
  package var whiteBalanceGains: WhiteBalanceGains?
  /// The lens position in diopters.
  package var lensPosition: Double?

  package init(
    exposureDuration: Duration? = nil, analogueGain: Double? = nil,
    whiteBalanceGains: WhiteBalanceGains? = nil, lensPosition: Double? = nil
  ) {
    self.exposureDuration = exposureDuration
    self.analogueGain = analogueGain
    self.whiteBalanceGains = whiteBalanceGains
    self.lensPosition = lensPosition
  }

  /// Makes the calibration that a frame was taken with; values that are not finite are skipped.
  package init(_ frame: FrameInfo) {
    self.init(
      exposureDuration: frame.exposureDuration,
      analogueGain: frame.analogueGain.flatMap {
        let gain = $0 * (frame.digitalGain ?? 1)
        return gain.isFinite ? gain : nil
      },
      whiteBalanceGains: frame.whiteBalanceGains.flatMap {
        $0.red.isFinite && $0.blue.isFinite ? $0 : nil
      },
      lensPosition: frame.lensPosition.flatMap { $0.isFinite ? $0 : nil })
  }

  /// Returns the given controls with exposure, white balance and lens fixed as far as known.
  package func applied(to controls: CameraControls) -> CameraControls {
    var controls = controls
    if let exposureDuration, let analogueGain {
      controls.exposureMode = .custom(duration: exposureDuration, gain: analogueGain)
    }
    if let whiteBalanceGains { controls.whiteBalanceMode = .custom(whiteBalanceGains) }
    if let lensPosition { controls.focusMode = .locked(lensPosition: lensPosition) }
    return controls
  }

  /// Returns whether the calibration has the values that fix an aspect.
  func has(_ aspect: ConvergenceDetector.Aspect) -> Bool {
    switch aspect {
    case .exposure: exposureDuration != nil && analogueGain != nil
    case .whiteBalance: whiteBalanceGains != nil
    case .focus: lensPosition != nil
    }
  }

  /// Returns the calibration with the given aspects only.
  func only(_ aspects: Set<ConvergenceDetector.Aspect>) -> CameraCalibration {
    CameraCalibration(
      exposureDuration: aspects.contains(.exposure) ? exposureDuration : nil,
      analogueGain: aspects.contains(.exposure) ? analogueGain : nil,
      whiteBalanceGains: aspects.contains(.whiteBalance) ? whiteBalanceGains : nil,
      lensPosition: aspects.contains(.focus) ? lensPosition : nil)
  }

  /// The known values in words.
  package var description: String {
    let words = [
      exposureDuration.map { "exposure \($0)" }, analogueGain.map { "gain \($0)" },
      whiteBalanceGains.map { "red \($0.red), blue \($0.blue)" },
      lensPosition.map { "lens at \($0) diopters" },
    ].compactMap { $0 }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// Returns the calibration within a camera's limits and without values that it cannot fix.
  ///
  /// The values that a camera reports can lie slightly outside its limits.
  package func limited(to capabilities: CameraCapabilities) -> CameraCalibration {
    var limited = self
    if !capabilities.exposureModes.contains(.custom) {
      limited.exposureDuration = nil
      limited.analogueGain = nil
    }
    if !capabilities.whiteBalanceModes.contains(.custom) { limited.whiteBalanceGains = nil }
    if let range = capabilities.lensPositions, capabilities.focusModes.contains(.locked) {
      limited.lensPosition = lensPosition.map { $0.clamped(to: range) }
    } else {
      limited.lensPosition = nil
    }
    if let range = capabilities.gains, let gain = limited.analogueGain {
      limited.analogueGain = gain.clamped(to: range)
      // In dim light a longer exposure makes up for the missing gain.
      if gain > range.upperBound {
        limited.exposureDuration = limited.exposureDuration.map { $0 * (gain / range.upperBound) }
      }
    }
    if let range = capabilities.exposureDurations {
      limited.exposureDuration = limited.exposureDuration.map { $0.clamped(to: range) }
    }
    if let range = capabilities.whiteBalanceGains {
      limited.whiteBalanceGains = limited.whiteBalanceGains.map {
        WhiteBalanceGains(red: $0.red.clamped(to: range), blue: $0.blue.clamped(to: range))
      }
    }
    return limited
  }
}

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
