/// A fraction of two 32-bit numbers, as Exif stores it.
struct EXIFRational: Hashable {
  /// The number above the line.
  var numerator: UInt32
  /// The number below the line.
  var denominator: UInt32

  init(_ numerator: UInt32, _ denominator: UInt32) {
    var (divisor, rest) = (numerator, denominator)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    self.numerator = divisor == 0 ? numerator : numerator / divisor
    self.denominator = divisor == 0 ? denominator : denominator / divisor
  }

  /// Makes an exposure time in seconds, to the microsecond up to 71 minutes, to the second beyond.
  ///
  /// - Returns: `nil` for an empty time, which Exif cannot express.
  init?(exposure: Duration) {
    guard exposure > .zero else { return nil }
    let (seconds, attoseconds) = exposure.components
    if seconds >= 4290 {
      self.init(UInt32(clamping: seconds), 1)
    } else {
      let microseconds = (attoseconds + 500_000_000_000) / 1_000_000_000_000
      self.init(UInt32(clamping: max(seconds * 1_000_000 + microseconds, 1)), 1_000_000)
    }
  }

  /// Makes the focus distance of a lens in meters, from the lens position in diopters.
  ///
  /// Exif writes infinity as a numerator of 0xFFFFFFFF.
  ///
  /// - Returns: `nil` when the position is not a number of 0 or more.
  init?(subjectDistanceAtDiopters diopters: Double) {
    guard diopters.isFinite, diopters >= 0 else { return nil }
    let thousandths = (diopters * 1000).rounded()
    if thousandths < 1 {
      self.init(numerator: .max, denominator: 1)
    } else {
      self.init(1000, UInt32(min(thousandths, 4e9)))
    }
  }

  /// Makes a resolution, to a hundredth; `nil` for an impossible one.
  init?(dotsPerInch: Double) {
    guard dotsPerInch.isFinite, dotsPerInch > 0 else { return nil }
    let hundredths = UInt32(min((dotsPerInch * 100).rounded(), 4e9))
    if hundredths % 100 == 0 { self.init(hundredths / 100, 1) } else { self.init(hundredths, 100) }
  }

  private init(numerator: UInt32, denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }
}
