/// What somebody has to confirm, by typing the name of what it is done to.
public struct Confirmation: Sendable, Hashable {
  /// The word that confirms.
  public enum Word: Sendable, Hashable {
    /// The name of a thing, for example a picture's ID.
    case item(String)
    /// The rig's name.
    case rig
  }

  /// What would happen, a sentence without its end.
  public let deed: String
  /// What has to be typed.
  public let word: Word

  /// Makes a confirmation.
  public init(_ deed: String, word: Word) {
    self.deed = deed
    self.word = word
  }

  /// Whether the word is the one that was asked for.
  ///
  /// - Parameters:
  ///   - typed: what was typed; spaces around it do not count.
  ///   - word: what was asked for.
  public static func accepts(_ typed: String, _ word: String) -> Bool {
    let spaces: Set<Character> = [" ", "\t"]
    var typed = typed[...]
    while let first = typed.first, spaces.contains(first) { typed.removeFirst() }
    while let last = typed.last, spaces.contains(last) { typed.removeLast() }
    // An empty word would be confirmed by the Enter key alone.
    return !word.isEmpty && typed == word
  }
}

/// A command line that can be run.
public struct PreparedCommand: Sendable {
  /// What has to be confirmed before; `nil` when nothing has.
  public let confirmation: Confirmation?
  /// How it goes about its work.
  public let manner: CommandManner
  /// Runs it and returns its exit status; ends soon after its task is cancelled.
  public let run: @Sendable (any CommandOutput) async -> Int32

  /// Makes a command.
  public init(
    confirmation: Confirmation? = nil, manner: CommandManner = .works,
    run: @escaping @Sendable (any CommandOutput) async -> Int32
  ) {
    self.confirmation = confirmation
    self.manner = manner
    self.run = run
  }
}

/// The commands that a console runs.
public protocol ConsoleCommands: Sendable {
  /// What stands at the beginning of a session.
  func greeting() async -> [String]

  /// What stands before each line; takes a second at most.
  func prompt() async -> String

  /// The word that confirms what is done to the whole rig.
  func rigName() async -> String

  /// Makes a command of words.
  ///
  /// - Parameter output: where it is said what is wrong with them, or the help that they ask for.
  /// - Returns: `nil` with an exit status when there is nothing to run.
  func prepare(_ words: [String], _ output: any CommandOutput) -> (PreparedCommand?, status: Int32)
}
