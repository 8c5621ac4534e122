import Devices

/// The light on the desk and the distance of the page, as the settled values of the automatics.
struct SceneLight: Sendable, Hashable {
  /// The right exposure time of a row with ``gain``.
  var exposureDuration = Duration.milliseconds(10)
  /// The gain as a factor, 1 or more.
  var gain = 1.5
  /// The gains at which white is white.
  var whiteBalanceGains = WhiteBalanceGains(red: 1.8, blue: 1.6)
  /// The light's color temperature in kelvins.
  var colorTemperature = 4600
  /// The lens position at which the page is sharp, in diopters.
  var lensPosition = 2.0

  /// Returns the factor by which an exposure is brighter than the right one.
  func brightness(of exposureDuration: Duration, gain: Double) -> Double {
    exposureDuration / self.exposureDuration * (gain / self.gain)
  }

  /// Returns the exposure that avoids flicker: whole periods of the lamps' light with more gain.
  ///
  /// An exposure shorter than one period cannot avoid flicker and stays.
  func exposure(
    avoiding flicker: CameraControls.FlickerAvoidance
  ) -> (duration: Duration, gain: Double) {
    let period: Duration
    switch flicker {
    case .off: return (exposureDuration, gain)
    case .hertz50: period = .microseconds(10_000)
    case .hertz60: period = .microseconds(8_333)
    }
    let periods = Int(exposureDuration / period)
    guard periods > 0 else { return (exposureDuration, gain) }
    let duration = period * periods
    return (duration, gain * (exposureDuration / duration))
  }
}

/// The look of the scene in a frame: the brightness, the sharpness and the zoom.
struct SceneLook: Sendable, Hashable {
  /// The brightness in steps of an eighth of an exposure value, 0 being right, −32...24.
  var brightnessStep = 0
  /// Whether the page is in focus.
  var isSharp = true
  /// The factor by which the field of view is narrowed, 1 or more.
  var zoom = 1.0

  init() {}

  /// Makes the look of a page in a light, as a frame shows it.
  init(_ frame: SimulatedSensor.Frame, in light: SceneLight) {
    let brightness = light.brightness(
      of: frame.exposureDuration, gain: frame.analogueGain * frame.digitalGain)
    brightnessStep = min(max(Int((SceneLook.log2(brightness) * 8).rounded()), -32), 24)
    isSharp = abs(frame.lensPosition - light.lensPosition) <= SceneLook.depthOfField
    zoom = frame.videoZoomFactor
  }

  /// The tolerated error of the lens position, in diopters.
  static let depthOfField = 0.3

  /// Returns a color with the look's brightness.
  func seen(_ color: SceneColor) -> SceneColor {
    guard brightnessStep != 0 else { return color }
    var seen = color
    let luma = Double(color.luma) * SceneLook.exp2(Double(brightnessStep) / 8)
    seen.luma = UInt8(min(max(luma.rounded(), 0), 255))
    return seen
  }
}
