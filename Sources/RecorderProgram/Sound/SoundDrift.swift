/// The correction of a sound card's clock by the clock of the frames.
///
/// No time passes here. All places are numbers of samples of the part's sound, ``rate`` a second.
/// A proportional and integral control of second order, critically damped, follows the card. Its
/// time constant of 20 seconds leaves little of the timestamps' jitter in the pitch.
struct SoundDrift {
  /// The thing to do for the sound that follows.
  enum Step: Sendable, Hashable {
    /// No change.
    case keep
    /// So many samples are added to the next second, or left out when negative.
    case stretch(Int)
    /// Silence of so many samples is inserted, or so many are left out when negative.
    case jump(Int)
    /// The card does not give the samples a second that it says.
    case giveUp
  }

  /// The samples a second.
  static let rate = 48_000
  /// The time of which the mean error decides, and in which a stretch is done.
  static let window = Int64(rate)
  /// The mean error that is too large for stretching: 100 ms.
  static let tolerance = Double(rate) / 10
  /// The most samples in a second by which sound is stretched: 0.5 %, less than a tenth of a tone.
  static let greatestStretch = 240.0
  /// The number of jumps within ``jumpWindow`` after which the card is given up.
  static let jumpLimit = 5
  /// The time in which jumps count: 30 s.
  static let jumpWindow = 30 * Int64(rate)

  private static let proportion = 0.1
  private static let integration = proportion * proportion / 4

  /// The place of the first error in the present window; `nil` before the first sound.
  private var begin: Int64?
  private var errors: (sum: Int64, count: Int64) = (0, 0)
  /// The samples a second that the card lacks, as far as it is known.
  private var lack = 0.0
  private var jumps: [Int64] = []

  /// Notes the place at which a sample would be, and the one at which it is due.
  ///
  /// - Parameters:
  ///   - position: the place of the sample's end in the sound.
  ///   - due: the place of the instant at which the sample was taken.
  ///   - isAfterGap: whether sound was lost before.
  mutating func note(position: Int64, due: Int64, isAfterGap: Bool = false) -> Step {
    let error = due - position
    guard let begin, !isAfterGap else {
      restart(at: due)
      return .jump(Int(error))
    }
    errors = (errors.sum + error, errors.count + 1)
    guard due - begin >= SoundDrift.window else { return .keep }
    let mean = Double(errors.sum) / Double(errors.count)
    restart(at: due)
    guard abs(mean) <= SoundDrift.tolerance else {
      jumps = jumps.filter { due - $0 < SoundDrift.jumpWindow } + [due]
      return jumps.count < SoundDrift.jumpLimit ? .jump(Int(error)) : .giveUp
    }
    lack = limited(lack + mean * SoundDrift.integration)
    return .stretch(Int(limited(lack + mean * SoundDrift.proportion).rounded()))
  }

  private mutating func restart(at place: Int64) {
    begin = place
    errors = (0, 0)
  }

  private func limited(_ stretch: Double) -> Double {
    min(max(stretch, -SoundDrift.greatestStretch), SoundDrift.greatestStretch)
  }
}
