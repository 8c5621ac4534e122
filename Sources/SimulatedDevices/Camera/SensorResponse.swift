/// The electrons and the noise of a sensor's pixels at a gain.
///
/// The figures are those of an IMX477, measured at a Raspberry Pi HQ Camera ("Pi HQ Cam Sensor
/// Performance", strollswithmydog.com). A pixel holds 8180 electrons. The read noise is 3 electrons
/// at gain 1, and 1.5 at gain 16.
struct SensorResponse: Sendable, Hashable {
  /// The electrons of a full pixel.
  static let fullWell = 8180.0
  /// The raw number of darkness with 12 bits; with 16 bits it is 4096 (libcamera's `imx477.json`).
  static let blackLevel = 256.0
  /// The largest raw number with 12 bits.
  static let whiteLevel = 4095.0

  /// The gain before the conversion to numbers, 1 or more.
  var analogueGain: Double
  /// The gain after the conversion, 1 or more.
  var digitalGain = 1.0

  /// The electrons that give the largest number after all gains.
  var range: Double { Self.fullWell / (analogueGain * digitalGain) }

  /// The read noise in electrons.
  ///
  /// The part before the amplifier stays, and the part after it falls with the gain. In raw numbers
  /// the noise grows with the gain.
  var readNoise: Double { (2.22 + 6.78 / (analogueGain * analogueGain)).squareRoot() }

  /// Returns the variance of a mean number of electrons: shot noise and read noise.
  func variance(ofElectrons electrons: Double) -> Double {
    max(electrons, 0) + readNoise * readNoise
  }
}
