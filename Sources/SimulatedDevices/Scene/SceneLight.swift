import Devices
import Glibc

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
  func exposure(with controls: CameraControls) -> (duration: Duration, gain: Double) {
    let period: Duration
    switch controls.flickerAvoidance {
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

/// The look of the scene in a frame: the brightness, the sharpness, the zoom and the image controls.
struct SceneLook: Sendable, Hashable {
  /// The brightness in steps of an eighth of an exposure value, 0 being right, −64...64.
  var brightnessStep = 0
  /// Whether the page is in focus.
  var isSharp = true
  /// The factor by which the field of view is narrowed, 1 or more.
  var zoom = 1.0
  /// The brightness that is added to luma, as a part of white, -1...1.
  var brightness = ImageControl.brightness.unchanged
  /// The contrast of luma as a factor, 0 or more.
  var contrast = ImageControl.contrast.unchanged
  /// The saturation of chroma as a factor, 0 or more.
  var saturation = ImageControl.saturation.unchanged

  init() {}

  /// Makes the look of a page in a light, as a frame shows it.
  ///
  /// As in libcamera, only an automatic exposure is compensated.
  init(_ frame: SimulatedSensor.Frame, in light: SceneLight) {
    func number(_ control: ImageControl) -> Double {
      frame.image[control] ?? control.unchanged
    }
    let exposed = light.brightness(
      of: frame.exposureDuration, gain: frame.analogueGain * frame.digitalGain)
    let compensation = frame.exposureState == .locked ? 0 : number(.exposureCompensation)
    let exposureValues = log2(max(exposed, 1e-9)) + compensation
    brightnessStep = min(max(Int((exposureValues * 8).rounded()), -64), 64)
    isSharp = abs(frame.lensPosition - light.lensPosition) <= SceneLook.depthOfField
    zoom = frame.videoZoomFactor
    brightness = number(.brightness)
    contrast = number(.contrast)
    saturation = number(.saturation)
  }

  /// The tolerated error of the lens position, in diopters.
  static let depthOfField = 0.3

  /// Returns a color with the look's brightness, contrast and saturation.
  func seen(_ color: SceneColor) -> SceneColor {
    let exposed = Double(color.luma) * exp2(Double(brightnessStep) / 8)
    let luma = (min(exposed, 255) - 128) * contrast + 128 + brightness * 255
    return SceneColor(
      luma: Self.byte(luma), blue: Self.byte((Double(color.blue) - 128) * saturation + 128),
      red: Self.byte((Double(color.red) - 128) * saturation + 128))
  }

  private static func byte(_ number: Double) -> UInt8 {
    UInt8(min(max(number.rounded(), 0), 255))
  }
}
