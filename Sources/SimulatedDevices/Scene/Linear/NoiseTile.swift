import Glibc

/// Normal deviates, made once and read from another place for each row of each frame.
enum NoiseTile {
  /// The number of deviates less 1, a mask for places.
  static let mask = 0xFFFF

  /// The deviates in units of 1/256 of the standard deviation (Box and Muller, 1958).
  static let deviates: [Int16] = {
    var random = SplitMix64(seed: 9)
    func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    return (0...NoiseTile.mask).map { (_: Int) -> Int16 in
      let radius = 256 * (-2 * log(1 - uniform())).squareRoot()
      return Int16((radius * cos(2 * Double.pi * uniform())).rounded())
    }
  }()

  /// Returns the place of a row's first deviate.
  static func start(seed: UInt64, number: UInt64, row: Int) -> Int {
    Int(SplitMix64.hash(seed, number, UInt64(row)) & UInt64(mask))
  }
}
