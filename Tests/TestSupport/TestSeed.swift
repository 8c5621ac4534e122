import Foundation

/// The seed of everything random in a run of the tests: `PLATEN_SEED`, else a new one.
///
/// Tests name the seed in the messages of their failures.
package enum TestSeed {
  /// The seed, the same for all tests of a process.
  package static let value: UInt64 =
    ProcessInfo.processInfo.environment["PLATEN_SEED"].flatMap(UInt64.init)
    ?? UInt64.random(in: 1...1_000_000)

  /// Returns random numbers that are the same for the same seed and purpose.
  package static func generator(
    _ purpose: UInt64 = 0, seed: UInt64 = value
  ) -> SeededGenerator {
    SeededGenerator(seed: seed &+ purpose &* 0x9E37_79B9_7F4A_7C15)
  }
}
