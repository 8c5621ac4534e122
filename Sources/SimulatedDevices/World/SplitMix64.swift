/// A small generator of reproducible numbers (Steele, Lea, Flood: SplitMix64, 2014).
///
/// Every simulated irregularity (bounce, noise, the colors of a page's picture) comes from a
/// generator with a known seed. The same input gives the same pictures and the same edges.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mixed(state)
  }

  /// Returns a number that depends only on all given numbers.
  static func hash(_ numbers: UInt64...) -> UInt64 {
    numbers.reduce(0x243F_6A88_85A3_08D3) { mixed($0 &+ 0x9E37_79B9_7F4A_7C15 &+ mixed($1)) }
  }

  private static func mixed(_ number: UInt64) -> UInt64 {
    var z = number
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
