import Testing

@testable import Imaging

struct EXIFRationalTests {
  @Test(
    arguments: [
      (Duration.milliseconds(10), 1, 100), (.microseconds(125), 1, 8000),
      (.microseconds(8333), 8333, 1_000_000), (.seconds(2), 2, 1), (.milliseconds(2500), 5, 2),
      (.nanoseconds(1), 1, 1_000_000), (.nanoseconds(1499), 1, 1_000_000),
      (.nanoseconds(1500), 1, 500_000), (.seconds(4289), 4289, 1), (.seconds(4290), 4290, 1),
      (.seconds(5_000_000_000), 4_294_967_295, 1),
    ] as [(Duration, UInt32, UInt32)])
  func `Exposure times are fractions of a second in their lowest terms`(
    _ duration: Duration, _ numerator: UInt32, _ denominator: UInt32
  ) throws {
    let rational = try #require(EXIFRational(exposure: duration))
    #expect(rational.numerator == numerator && rational.denominator == denominator)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `A missing exposure has no fraction`(_ duration: Duration) {
    #expect(EXIFRational(exposure: duration) == nil)
  }

  @Test(
    arguments: [(2.5, 2, 5), (1, 1, 1), (0.5, 2, 1), (10, 1, 10), (0, .max, 1), (0.0001, .max, 1)]
      as [(Double, UInt32, UInt32)])
  func `Lens positions are distances in meters`(
    _ diopters: Double, _ numerator: UInt32, _ denominator: UInt32
  ) throws {
    let rational = try #require(EXIFRational(subjectDistanceAtDiopters: diopters))
    #expect(rational.numerator == numerator && rational.denominator == denominator)
  }

  @Test(arguments: [Double.nan, .infinity, -1])
  func `An invalid lens position has no distance`(_ diopters: Double) {
    #expect(EXIFRational(subjectDistanceAtDiopters: diopters) == nil)
  }
}
