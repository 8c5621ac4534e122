/// An action that a person must confirm by typing the name of the affected thing.
package struct Confirmation: Sendable, Hashable {
  /// The word that confirms.
  package enum Word: Sendable, Hashable {
    /// The name of a thing, for example a picture's ID.
    case item(String)
    /// The rig's name.
    case rig
  }

  /// The consequence, a sentence without its full stop.
  package let deed: String
  /// The word to type.
  package let word: Word

  package init(_ deed: String, word: Word) {
    self.deed = deed
    self.word = word
  }

  /// Returns the word to type; calls the closure only for the rig's name.
  package func wordToType(_ rigName: () async -> String) async -> String {
    switch word {
    case .item(let name): name
    case .rig: await rigName()
    }
  }

  /// Returns whether the typed word is the requested one.
  ///
  /// - Parameters:
  ///   - typed: the typed text; surrounding spaces do not count.
  ///   - word: the requested word.
  package static func accepts(_ typed: String, _ word: String) -> Bool {
    let spaces: Set<Character> = [" ", "\t"]
    var typed = typed[...]
    while let first = typed.first, spaces.contains(first) { typed.removeFirst() }
    while let last = typed.last, spaces.contains(last) { typed.removeLast() }
    // The Enter key alone would confirm an empty word.
    return !word.isEmpty && typed == word
  }
}

/// A command line that is ready to run.
package struct PreparedCommand: Sendable {
  /// The action to confirm first; `nil` if none.
  package let confirmation: Confirmation?
  /// The command's manner.
  package let manner: CommandManner
  /// A function that runs the command, soon ends when canceled, and returns the exit status.
  package let run: @Sendable (any CommandOutput) async -> Int32

  package init(
    confirmation: Confirmation? = nil, manner: CommandManner = .works,
    run: @escaping @Sendable (any CommandOutput) async -> Int32
  ) {
    self.confirmation = confirmation
    self.manner = manner
    self.run = run
  }
}

/// The commands that a console runs.
package protocol ConsoleCommands: Sendable {
  /// Returns the lines at the beginning of a session.
  func greeting() async -> [String]

  /// Returns the prompt of a line within a second at most.
  func prompt() async -> String

  /// Returns the word that confirms actions on the whole rig.
  func rigName() async -> String

  /// Prepares a command.
  ///
  /// - Parameter output: the output for errors in the words, or for requested help.
  /// - Returns: `nil` with an exit status when there is nothing to run.
  func prepare(_ words: [String], _ output: any CommandOutput) -> (PreparedCommand?, status: Int32)
}
