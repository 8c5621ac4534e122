/// What can follow what has been typed so far.
public struct CommandCompletion: Sendable {
  /// A way to go on.
  public struct Candidate: Sendable, Hashable {
    /// The whole word.
    public let word: String
    /// What it does; empty when nothing is known.
    public let meaning: String

    /// Makes a candidate.
    public init(_ word: String, _ meaning: String = "") {
      self.word = word
      self.meaning = meaning
    }
  }

  /// What the Tab key does.
  public struct Step: Sendable, Hashable {
    /// What is added to the line; empty when nothing is certain.
    public let insertion: String
    /// What there is to choose from, when there is more than one.
    public let choices: [Candidate]

    /// Makes a step.
    public init(insertion: String, choices: [Candidate]) {
      self.insertion = insertion
      self.choices = choices
    }
  }

  private let tree: CommandTree
  private let extra: [Candidate]

  /// Makes a completion.
  ///
  /// - Parameters:
  ///   - tree: the commands.
  ///   - extra: first words besides the tree's.
  public init(_ tree: CommandTree, extra: [Candidate] = []) {
    self.tree = tree
    self.extra = extra
  }

  /// All words that can stand where the line ends and begin as its last word does.
  ///
  /// - Parameter line: what stands before the cursor.
  public func candidates(_ line: String) -> [Candidate] {
    let words = CommandWords(reading: line)
    guard !words.isUnfinishedQuoted, words.problem == nil else { return [] }
    let begun = words.unfinished ?? ""
    return all(after: words.complete, begun).filter { $0.word.hasPrefix(begun) }
  }

  /// What the Tab key does with a line: adds what is certain, else tells what there is.
  ///
  /// - Parameter line: what stands before the cursor.
  public func step(_ line: String) -> Step {
    let candidates = candidates(line)
    let begun = CommandWords(reading: line).unfinished ?? ""
    guard let first = candidates.first else { return Step(insertion: "", choices: []) }
    if candidates.count == 1 {
      return Step(insertion: first.word.dropFirst(begun.count) + " ", choices: [])
    }
    let common = candidates.dropFirst().reduce(first.word) { $0.commonPrefix(with: $1.word) }
    return Step(insertion: String(common.dropFirst(begun.count)), choices: candidates)
  }

  private func all(after words: [String], _ begun: String) -> [Candidate] {
    if words.first == "help" { return commands(below: tree.path(Array(words.dropFirst())), words) }
    let path = tree.path(words)
    let arguments = (path.command.arguments ?? []).filter(\.shouldDisplay)
    if let last = path.rest.last, let option = option(last, arguments) {
      return (option.allValues ?? []).map { Candidate($0) }
    }
    if begun.hasPrefix("-") {
      return arguments.flatMap { argument in
        (argument.names ?? []).map { Candidate($0.typed, argument.abstract ?? "") }
      }
    }
    guard path.rest.isEmpty else { return [] }
    let values = arguments.filter { $0.kind == "positional" }.first?.allValues ?? []
    return commands(below: path, words) + values.map { Candidate($0) }
  }

  private func commands(below path: CommandTree.Path, _ words: [String]) -> [Candidate] {
    guard path.rest.isEmpty else { return [] }
    let own = path.command.shown.map { Candidate($0.commandName, $0.abstract ?? "") }
    guard path.words.isEmpty else { return own }
    let known = Set(own.map(\.word))
    return (own + (words.isEmpty ? extra.filter { !known.contains($0.word) } : []))
  }

  /// The option that waits for its value.
  private func option(
    _ word: String, _ arguments: [CommandTree.Argument]
  ) -> CommandTree.Argument? {
    arguments.first { argument in
      argument.kind == "option" && (argument.names ?? []).contains { $0.typed == word }
    }
  }
}

extension String {
  /// The longest beginning that two texts share.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
