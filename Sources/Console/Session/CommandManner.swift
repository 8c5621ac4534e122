/// How a command goes about its work: what is shown of it when, and what ends it.
public enum CommandManner: Sendable, Hashable {
  /// It works until it is done, and what it says is shown a screenful at a time.
  case works
  /// It works until it is done, and what it says is wanted as it comes.
  case reports
  /// It leads a person through something, each time for a while; what is typed answers it.
  case guides
  /// It says what happens until it is ended; what a slow terminal has no room for may be left out.
  case follows
  /// It draws what happens, in one place, until it is ended.
  case draws

  /// Whether it goes on until it is ended, so that it says nothing of whether somebody is there.
  public var isEndless: Bool { self == .follows || self == .draws }

  /// Whether what it says is shown a screenful at a time.
  var isPaged: Bool { self == .works }

  /// What ends a command besides Ctrl-C.
  enum Ending: Sendable, Hashable {
    /// Nothing does.
    case nothing
    /// The key `q`.
    case key
    /// A line of `q` alone; any other may be a command that is typed ahead.
    case line
  }

  /// What ends it as Ctrl-C does.
  var ending: Ending {
    switch self {
    case .works, .guides: .nothing
    case .reports: .line
    case .follows, .draws: .key
    }
  }
}
