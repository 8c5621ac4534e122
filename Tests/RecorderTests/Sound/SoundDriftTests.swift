import TestSupport
import Testing

@testable import RecorderProgram

@Suite struct SoundDriftTests {
  /// A card and the sound of its samples, in virtual time.
  private struct Card {
    /// The share by which the card is fast.
    var error: Double
    /// The greatest difference of a timestamp from the truth, in samples.
    var jitter: Double
    var drift = SoundDrift()
    /// The time in samples of the true clock, the card's samples, and those of the sound.
    private(set) var time = 0.0
    private(set) var position = 0.0
    private(set) var steps: [SoundDrift.Step] = []
    private var stretch = (rate: 0.0, left: 0.0)
    private var random: SeededGenerator

    init(error: Double, jitter: Double, purpose: UInt64) {
      (self.error, self.jitter) = (error, jitter)
      random = TestSeed.generator(purpose)
    }

    /// The samples by which the sound is behind the truth; negative when it is ahead.
    var behind: Double { time - position }

    /// Passes the time of a frame, and returns whether the card is still in use.
    mutating func pass(lost: Double = 0) -> Bool {
      let interval = Double.random(in: 700...2600, using: &random)
      time += interval + lost
      let count = interval * (1 + error)
      let stretched = min(count, stretch.left)
      stretch.left -= stretched
      let produced = count + stretched * stretch.rate
      let due = time + Double.random(in: -jitter...jitter, using: &random)
      let step = drift.note(
        position: Int64(position + produced), due: Int64(due), isAfterGap: lost > 0)
      position += produced
      switch step {
      case .keep: return true
      case .stretch(let samples): stretch = (Double(samples) / 48_000, 48_000)
      case .jump(let samples): position += Double(samples)
      case .giveUp: return false
      }
      steps.append(step)
      return true
    }
  }

  @Test(arguments: [-200.0, -20, 0, 55, 200], [0.0, 240])
  func `an hour of sound stays within 20 ms of the picture`(partsPerMillion: Double, jitter: Double)
  {
    var card = Card(error: partsPerMillion / 1e6, jitter: jitter, purpose: 51)
    var (worst, late) = (0.0, 0.0)
    while card.time < 3600 * 48_000 {
      let isInUse = card.pass()
      #expect(isInUse)
      worst = max(worst, abs(card.behind))
      if card.time > 120 * 48_000 { late = max(late, abs(card.behind)) }
    }
    #expect(worst < 960, "\(worst) samples, seed \(TestSeed.value)")
    #expect(late < 240, "\(late) samples, seed \(TestSeed.value)")
    let jumps = card.steps.filter { if case .jump = $0 { true } else { false } }
    #expect(jumps.count == 1, "only the beginning is set, seed \(TestSeed.value)")
  }

  @Test func `lost sound is a jump at once, and the learned stretch stays`() {
    var card = Card(error: 200e-6, jitter: 0, purpose: 52)
    while card.time < 300 * 48_000 { _ = card.pass() }
    let isInUse = card.pass(lost: 33_600)
    #expect(isInUse && abs(card.behind) < 2)
    while card.time < 420 * 48_000 {
      _ = card.pass()
      #expect(abs(card.behind) < 48)
    }
  }

  @Test(arguments: [-0.2, 0.3]) func `a card that gives another rate is given up`(error: Double) {
    var card = Card(error: error, jitter: 0, purpose: 53)
    var isInUse = true
    while isInUse, card.time < 60 * 48_000 { isInUse = card.pass() }
    #expect(!isInUse && card.time < 30 * 48_000)
  }

  @Test func `the pitch changes by half a percent at most`() {
    var drift = SoundDrift()
    _ = drift.note(position: 0, due: 0)
    for second in 1...100 {
      let due = Int64(second) * 48_000
      if case .stretch(let samples) = drift.note(position: due - 4000, due: due) {
        #expect((1...240).contains(samples))
      }
    }
  }
}
