/// A source of short help for a line that is being typed, from the tree of commands.
package struct CommandHelp: LineGuide {
  private let tree: CommandTree
  private let completion: CommandCompletion

  /// Creates help.
  ///
  /// - Parameters:
  ///   - tree: the commands.
  ///   - extra: first words in addition to the tree's.
  package init(_ tree: CommandTree, extra: [CommandCompletion.Candidate] = []) {
    self.tree = tree
    completion = CommandCompletion(tree, extra: extra)
  }

  /// Returns all commands, each with its description.
  ///
  /// - Parameter width: the terminal's width in columns.
  package func overview(width: Int) -> [String] {
    table(completion.candidates("").map { ($0.word, $0.meaning) }, width: width) + [""]
      + PlainText.wrapping(
        "\"help COMMAND\" explains one, the Tab key completes, and ? shows what can follow.",
        to: width)
  }

  /// Completes a line for the Tab key.
  package func complete(_ line: String) -> (insertion: String, lines: [String]) {
    let step = completion.step(line)
    return (step.insertion, table(step.choices.map { ($0.word, $0.meaning) }, width: 80))
  }

  /// Returns help at the start of a word: the continuations, or else the command's usage.
  package func help(_ line: String) -> [String]? {
    let words = CommandWords(reading: line)
    guard words.unfinished == nil, words.problem == nil else { return nil }
    let candidates = completion.candidates(line)
    if !candidates.isEmpty {
      return table(candidates.map { ($0.word, $0.meaning) }, width: 80)
    }
    let path = tree.path(words.complete)
    let name = path.words.joined(separator: " ")
    let arguments = (path.command.arguments ?? []).filter(\.shouldDisplay)
    let heading = [name, path.command.abstract ?? ""].filter { !$0.isEmpty }
    return PlainText.wrapping(heading.joined(separator: ": "), to: 80)
      + table(arguments.map { (Self.usage($0), $0.meaning) }, width: 80)
  }

  /// Returns an argument's usage, for example `--limit <limit>`.
  static func usage(_ argument: CommandTree.Argument) -> String {
    let names = (argument.names ?? []).map(\.typed).joined(separator: ", ")
    let value = argument.kind == "flag" ? nil : "<\(argument.valueName ?? "value")>"
    return [names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Lays out words at the left with their meanings beside them, or below if space is short.
  private func table(_ rows: [(String, String)], width: Int) -> [String] {
    let label = min(26, rows.map { PlainText.columns($0.0) }.max() ?? 0)
    let indent = String(repeating: " ", count: label + 4)
    return rows.flatMap { word, meaning -> [String] in
      let word = PlainText.escaping(word)
      let meanings =
        meaning.isEmpty
        ? [] : PlainText.wrapping(PlainText.escaping(meaning), to: max(20, width - label - 4))
      guard PlainText.columns(word) <= label, let first = meanings.first else {
        return ["  " + word] + meanings.map { indent + $0 }
      }
      let pad = String(repeating: " ", count: label + 2 - PlainText.columns(word))
      return ["  " + word + pad + first] + meanings.dropFirst().map { indent + $0 }
    }
  }
}
