import Devices

/// The light on the desk and the distance of the page: what a camera's automatics would settle on.
struct SceneLight: Sendable, Hashable {
  /// How long a row has to be exposed with ``gain``.
  var exposureDuration = Duration.milliseconds(10)
  /// The gain as a factor, 1 or more.
  var gain = 1.5
  /// The gains at which white is white.
  var whiteBalanceGains = WhiteBalanceGains(red: 1.8, blue: 1.6)
  /// The light's colour temperature in kelvins.
  var colorTemperature = 4600
  /// The lens position at which the page is sharp, in dioptres.
  var lensPosition = 2.0

  /// By how much an exposure is brighter than the right one, as a factor.
  func brightness(of exposureDuration: Duration, gain: Double) -> Double {
    exposureDuration / self.exposureDuration * (gain / self.gain)
  }

  /// The exposure that avoids flicker: whole periods of the lamps' light, made up for by gain.
  ///
  /// An exposure shorter than one period cannot avoid it and stays.
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

/// How a frame shows the scene: too bright or too dark, sharp or not, and how near.
struct SceneLook: Sendable, Hashable {
  /// How bright it is: steps of an eighth of an exposure value, 0 being right, −32...24.
  var brightnessStep = 0
  /// Whether the page is in focus.
  var isSharp = true
  /// By how much the field of view is narrowed, 1 or more.
  var zoom = 1.0

  init() {}

  /// How a frame shows a page that lies in a light.
  init(_ frame: SimulatedSensor.Frame, in light: SceneLight) {
    let brightness = light.brightness(
      of: frame.exposureDuration, gain: frame.analogueGain * frame.digitalGain)
    brightnessStep = min(max(Int((SceneLook.log2(brightness) * 8).rounded()), -32), 24)
    isSharp = abs(frame.lensPosition - light.lensPosition) <= SceneLook.depthOfField
    zoom = frame.videoZoomFactor
  }

  /// How far the lens may be off, in dioptres.
  static let depthOfField = 0.3

  /// A colour as it is shown.
  func seen(_ color: SceneColor) -> SceneColor {
    guard brightnessStep != 0 else { return color }
    var seen = color
    let luma = Double(color.luma) * SceneLook.exp2(Double(brightnessStep) / 8)
    seen.luma = UInt8(min(max(luma.rounded(), 0), 255))
    return seen
  }
}
