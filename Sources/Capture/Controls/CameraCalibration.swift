public import Devices

/// What a camera's automatics settled on, to be stored for the camera's ID and used at the next
/// start, so that the first frame is right already.
///
/// What the camera does not say, or has not, is left out.
public struct CameraCalibration: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How long each row was exposed.
  public var exposureDuration: Duration?
  /// The whole gain as a factor: what was multiplied behind the converter is asked of it as well.
  public var analogueGain: Double?
  /// The gains of red and blue.
  public var whiteBalanceGains: WhiteBalanceGains?
  /// The lens position in dioptres.
  public var lensPosition: Double?

  /// Makes a calibration.
  public init(
    exposureDuration: Duration? = nil, analogueGain: Double? = nil,
    whiteBalanceGains: WhiteBalanceGains? = nil, lensPosition: Double? = nil
  ) {
    self.exposureDuration = exposureDuration
    self.analogueGain = analogueGain
    self.whiteBalanceGains = whiteBalanceGains
    self.lensPosition = lensPosition
  }

  /// Makes the calibration that a frame was taken with; numbers that are none are left out.
  public init(_ frame: FrameInfo) {
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

  /// The controls that bring it back: exposure, white balance and lens fixed as far as they are
  /// known, all else left to the camera.
  public var controls: CameraControls { applied(to: CameraControls()) }

  /// Other controls with exposure, white balance and lens fixed as far as they are known.
  public func applied(to controls: CameraControls) -> CameraControls {
    var controls = controls
    if let exposureDuration, let analogueGain {
      controls.exposureMode = .custom(duration: exposureDuration, gain: analogueGain)
    }
    if let whiteBalanceGains { controls.whiteBalanceMode = .custom(whiteBalanceGains) }
    if let lensPosition { controls.focusMode = .locked(lensPosition: lensPosition) }
    return controls
  }

  /// Whether it says what fixes an aspect.
  func has(_ aspect: ConvergenceDetector.Aspect) -> Bool {
    switch aspect {
    case .exposure: exposureDuration != nil && analogueGain != nil
    case .whiteBalance: whiteBalanceGains != nil
    case .focus: lensPosition != nil
    }
  }

  /// The calibration without all other aspects.
  func only(_ aspects: Set<ConvergenceDetector.Aspect>) -> CameraCalibration {
    CameraCalibration(
      exposureDuration: aspects.contains(.exposure) ? exposureDuration : nil,
      analogueGain: aspects.contains(.exposure) ? analogueGain : nil,
      whiteBalanceGains: aspects.contains(.whiteBalance) ? whiteBalanceGains : nil,
      lensPosition: aspects.contains(.focus) ? lensPosition : nil)
  }

  /// What is known, in words.
  public var description: String {
    let words = [
      exposureDuration.map { "exposure \($0)" }, analogueGain.map { "gain \($0)" },
      whiteBalanceGains.map { "red \($0.red), blue \($0.blue)" },
      lensPosition.map { "lens at \($0) dioptres" },
    ].compactMap { $0 }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// The calibration without what a camera has no control of, and within its limits; what a camera
  /// reports can lie a little outside of them.
  public func limited(to capabilities: CameraCapabilities) -> CameraCalibration {
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
      // In dim light the rest is given by time.
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
