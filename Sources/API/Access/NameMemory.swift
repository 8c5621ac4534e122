import Devices

/// The known names of users and the open questions to the directory, as a value.
///
/// While an answer of the directory is overdue, nothing more is asked. The known name is used then,
/// however old it is, or none.
struct NameMemory {
  /// The next step to find a name.
  enum Step: Hashable {
    /// The name to use; `nil` for none.
    case take(String?)
    /// The directory is to be asked, and the caller waits.
    case ask
    /// The caller waits for a question that another caller has asked.
    case wait
  }

  private struct Entry {
    var name: String?
    var learned: MonotonicInstant
  }

  /// The time for which a name counts as fresh.
  static let lifetime = Duration.seconds(60)
  /// The most names that are remembered.
  static let maximumNames = 64
  /// The most questions that may be open at a time.
  static let maximumQuestions = 16

  private let timeout: Duration
  private var entries: [UInt32: Entry] = [:]
  /// The time of each open question, by the user's number.
  private var questions: [UInt32: MonotonicInstant] = [:]

  /// Makes a memory without names.
  ///
  /// - Parameter timeout: the time after which an answer is overdue.
  init(timeout: Duration) { self.timeout = timeout }

  /// The number of remembered names.
  var count: Int { entries.count }

  /// Returns the known name of a user, however old it is.
  func name(of user: UInt32) -> String? { entries[user]?.name }

  /// Returns the next step for a user's name; after ``Step/ask``, ``learn(_:of:at:)`` must follow.
  ///
  /// - Complexity: O(open questions).
  mutating func step(for user: UInt32, at now: MonotonicInstant) -> Step {
    let entry = entries[user]
    if let entry, entry.learned.duration(to: now) < Self.lifetime { return .take(entry.name) }
    let isOverdue = questions.values.contains { $0.duration(to: now) >= timeout }
    guard !isOverdue else { return .take(entry?.name) }
    guard questions[user] == nil else { return .wait }
    guard questions.count < Self.maximumQuestions else { return .take(entry?.name) }
    questions[user] = now
    return .ask
  }

  /// Takes the directory's answer for a user.
  ///
  /// An answer without a name keeps the earlier name, because the directory itself may have failed.
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
