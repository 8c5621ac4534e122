import Devices

/// Which names of users are known, and which are being asked for, as a value.
///
/// A directory that owes an answer for too long is asked nothing more until it has answered: what
/// is known is taken then, however old it is, and else nothing.
struct NameMemory {
  /// What to do for a name.
  enum Step: Hashable {
    /// Take this one, or none.
    case take(String?)
    /// Ask the directory, and wait.
    case ask
    /// Wait for what somebody else has asked.
    case wait

    /// Whether there is something to wait for.
    var isWaiting: Bool {
      switch self {
      case .take: false
      case .ask, .wait: true
      }
    }
  }

  private struct Entry {
    var name: String?
    var learned: MonotonicInstant
  }

  /// How long what was learned counts as news.
  static let lifetime = Duration.seconds(60)
  /// How many names are remembered.
  static let maximumNames = 64
  /// How many questions may be open at a time.
  static let maximumQuestions = 16

  private let patience: Duration
  private var entries: [UInt32: Entry] = [:]
  /// When it was asked for a user, by the user's number.
  private var questions: [UInt32: MonotonicInstant] = [:]

  /// Makes a memory that knows nobody.
  ///
  /// - Parameter patience: after which an answer is overdue.
  init(patience: Duration) { self.patience = patience }

  /// How many names are remembered.
  var count: Int { entries.count }

  /// What is known, however old it is.
  func name(of user: UInt32) -> String? { entries[user]?.name }

  /// What to do for the name of a user; after ``Step/ask``, ``learn(_:of:at:)`` has to follow.
  ///
  /// - Complexity: O(open questions).
  mutating func step(for user: UInt32, at now: MonotonicInstant) -> Step {
    let entry = entries[user]
    if let entry, entry.learned.duration(to: now) < Self.lifetime { return .take(entry.name) }
    let isOverdue = questions.values.contains { $0.duration(to: now) >= patience }
    guard !isOverdue else { return .take(entry?.name) }
    guard questions[user] == nil else { return .wait }
    guard questions.count < Self.maximumQuestions else { return .take(entry?.name) }
    questions[user] = now
    return .ask
  }

  /// Takes what the directory says; of who has no name now, the one from before is kept, for it may
  /// be the directory that has nothing.
  ///
  /// - Complexity: O(1); O(names remembered) for a new one among too many.
  mutating func learn(_ name: String?, of user: UInt32, at now: MonotonicInstant) {
    questions[user] = nil
    if entries[user] == nil, entries.count >= Self.maximumNames {
      let oldest = entries.min { $0.value.learned < $1.value.learned }
      if let oldest { entries[oldest.key] = nil }
    }
    entries[user] = Entry(name: name ?? entries[user]?.name, learned: now)
  }
}
