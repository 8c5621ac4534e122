import Capture
import Devices
import TestSupport

/// A desk in virtual time on which pages are turned before a ``PageTurnDetector``.
struct PageDesk {
  typealias Detector = PageTurnDetector<PageFingerprint>

  /// The time between two observations.
  static let tick = Duration.milliseconds(160)

  var detector: Detector
  var random: SeededGenerator
  private(set) var now = instant(1_000_000)
  /// The number of the page on the desk; 0 for none.
  var page = 0
  var hasHand = false
  var isReady = true
  /// Returns whether a reading errs about the page, by the reading's number from 1.
  var wrongReadings: (Int) -> Bool = { _ in false }
  /// The number of readings.
  private(set) var readingCount = 0
  /// Whether each press is stored at once.
  var storesPresses = true
  /// The pages of the pictures, in order.
  private(set) var pictures: [Int] = []
  /// The times of the pictures, as the detector knows them.
  private(set) var times: [MonotonicInstant] = []
  /// The number of pictures with a hand, of something that moves, or that would be refused.
  private(set) var wrongPictures = 0
  private(set) var actions: [Detector.Action] = []

  init(_ policy: PageTurnPolicy = PageTurnPolicy(), random: SeededGenerator) {
    detector = Detector(policy)
    self.random = random
  }

  /// Observes a scene in which this much moves, for a number of ticks.
  mutating func observe(_ ticks: Int, motion: ClosedRange<Double>) {
    for _ in 0..<ticks {
      now = now.advanced(by: Self.tick)
      let moved = Double.random(in: motion, using: &random)
      var action = detector.observe(motion: moved, at: now, isReady: isReady)
      if action == .read {
        note(action)
        readingCount += 1
        let found = Detector.Page(
          isCovered: hasHand, hasContent: page > 0,
          look: look(isWrong: wrongReadings(readingCount)))
        action = detector.read(found, at: now, isReady: isReady)
      }
      note(action)
      guard action == .take else { continue }
      pictures.append(page)
      times.append(now)
      if hasHand || moved >= 0.02 || !isReady { wrongPictures += 1 }
      if storesPresses { detector.stored(now) }
    }
  }

  /// Observes a still scene with a sensor's noise.
  mutating func rest(_ duration: Duration) {
    observe(Int((duration / Self.tick).rounded(.up)), motion: 0...0.012)
  }

  /// Turns to a page: a hand comes, the page moves, the hand goes.
  mutating func turn(to number: Int, handRests: Duration = .zero) {
    hasHand = true
    observe(Int.random(in: 2...5, using: &random), motion: 0.03...0.2)
    observe(Int.random(in: 2...4, using: &random), motion: 0.2...0.7)
    page = number
    observe(Int.random(in: 2...4, using: &random), motion: 0.2...0.7)
    rest(handRests)
    observe(Int.random(in: 2...4, using: &random), motion: 0.03...0.2)
    hasHand = false
  }

  private mutating func note(_ action: Detector.Action) {
    if action != .wait { actions.append(action) }
  }

  /// Returns the look of the page now, with noise and another light at each call.
  ///
  /// - Parameter isWrong: whether the look is like no other, as of a part of the page.
  mutating func look(isWrong: Bool = false) -> PageFingerprint {
    let print = Self.noise(UInt64(isWrong ? 1_000_000 + readingCount : page + 1000))
    let light = Double.random(in: 0.9...1.1, using: &random)
    let noise = Self.noise(UInt64.random(in: 0..<32, using: &random))
    return PageFingerprint(
      fields: noise.indices.map {
        light * (180 + 12 * Self.shared[$0] + 12 * print[$0]) + 4 * noise[$0]
      })
  }

  /// The frame and the lines that all pages of the book have.
  private static let shared = noise(7)

  /// Returns numbers for all fields with a mean of 0 and a deviation of 1.
  private static func noise(_ seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed &* 0x9E37_79B9)
    return (0..<PageFingerprint.side * PageFingerprint.side).map { _ in
      // Two halves of a number give a triangle, from -1 to 1 with a deviation of 1 / √6.
      let number = random.next()
      let sum = Double(number >> 32) + Double(number & 0xFFFF_FFFF)
      return (sum / Double(UInt32.max) - 1) * 6.0.squareRoot()
    }
  }
}
