/// The manner of a command: the presentation of its output, and the ways to end the command.
package enum CommandManner: Sendable, Hashable {
  /// The command works until it is done, and its output is paged.
  case works
  /// The command works until it is done, and its output appears without paging.
  case reports
  /// The command leads a person through steps; typed lines answer its questions.
  case guides
  /// The command reports events until it is ended; a slow terminal may skip lines.
  case follows
  /// The command draws in one place until it is ended.
  case draws

  /// Whether the command runs until it is ended, so that its output is no sign of use.
  package var isEndless: Bool { self == .follows || self == .draws }

  /// Whether the output is shown one screenful at a time.
  var isPaged: Bool { self == .works }

  /// The input that ends a command, besides Ctrl-C.
  enum Ending: Sendable, Hashable {
    /// No input ends the command.
    case nothing
    /// The key `q` ends the command.
    case key
    /// A line of `q` alone ends the command; other lines may be commands typed ahead.
    case line
  }

  /// The input that ends the command like Ctrl-C.
  var ending: Ending {
    switch self {
    case .works, .guides: .nothing
    case .reports: .line
    case .follows, .draws: .key
    }
  }
}
