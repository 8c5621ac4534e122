/// What a camera's automatics settled on and is now kept for it: the answer to
/// `POST /v1/session/calibrate`.
///
/// What the camera does not say, or has not, is left out.
public struct CalibrationReport: Sendable, Hashable, Codable {
  /// How long each row is exposed, in microseconds.
  public let exposureMicroseconds: Double?
  /// The gain before the converter as a factor.
  public let gain: Double?
  /// The gain of red against green as a factor.
  public let redGain: Double?
  /// The gain of blue against green as a factor.
  public let blueGain: Double?
  /// The lens position in dioptres.
  public let dioptres: Double?

  /// Makes a report.
  public init(
    exposureMicroseconds: Double? = nil, gain: Double? = nil, redGain: Double? = nil,
    blueGain: Double? = nil, dioptres: Double? = nil
  ) {
    self.exposureMicroseconds = finite(exposureMicroseconds)
    self.gain = finite(gain)
    self.redGain = finite(redGain)
    self.blueGain = finite(blueGain)
    self.dioptres = finite(dioptres)
  }
}
