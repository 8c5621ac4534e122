/// The values that a camera's automatics settled on, which are now kept for the camera.
///
/// The report answers `POST /v1/session/calibrate`. A value that the camera does not report or does
/// not have is omitted.
package struct CalibrationReport: Sendable, Hashable, Codable {
  /// The exposure time of each row in microseconds.
  package let exposureMicroseconds: Double?
  /// The gain before the converter as a factor.
  package let gain: Double?
  /// The gain of red against green as a factor.
  package let redGain: Double?
  /// The gain of blue against green as a factor.
  package let blueGain: Double?
  /// The lens position in diopters.
  package let diopters: Double?

  package init(
    exposureMicroseconds: Double? = nil, gain: Double? = nil, redGain: Double? = nil,
    blueGain: Double? = nil, diopters: Double? = nil
  ) {
    self.exposureMicroseconds = finite(exposureMicroseconds)
    self.gain = finite(gain)
    self.redGain = finite(redGain)
    self.blueGain = finite(blueGain)
    self.diopters = finite(diopters)
  }
}
