/// A manual page, man(7), generated from the tree of commands.
package struct ManualPage {
  /// A variable of the environment or a file, with its meaning.
  package struct Entry: Sendable {
    fileprivate let name: String
    fileprivate let meaning: String

    /// Creates an entry from a name and sentences.
    package init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  private let tree: CommandTree

  /// The lines of the page's source.
  package private(set) var lines: [String] = []

  /// Makes a page for a section from 1 to 8, with the variables and the files of the program.
  package init(_ tree: CommandTree, section: Int, environment: [Entry] = [], files: [Entry]) {
    self.tree = tree
    writeDescription(section: section)
    writeList("ENVIRONMENT", environment, font: ".B")
    writeList("FILES", files, font: ".I")
  }

  private mutating func writeDescription(section: Int) {
    let name = tree.commandName
    // The parser gives every program the command "help".
    let hasCommands = tree.shown.contains { $0.commandName != "help" }
    lines = [
      ".\\\" Made from the command line's own description; changes belong there.",
      ".TH \(name.uppercased()) \(section) \"\" Platen \"Platen\"",
      ".SH NAME", Self.escaped("\(name) ") + "\\- " + Self.escaped(Self.sentence(tree.abstract)),
      ".SH SYNOPSIS", ".B \(Self.escaped(name))",
      hasCommands ? "COMMAND [OPTION]..." : "[OPTION]...", ".SH DESCRIPTION",
    ]
    paragraphs(tree.discussion)
    lines.append(hasCommands ? ".SH COMMANDS" : ".SH OPTIONS")
    guard hasCommands else { return writeArguments(of: tree) }
    for command in tree.shown { write(command, path: []) }
  }

  private mutating func writeList(_ heading: String, _ entries: [Entry], font: String) {
    guard !entries.isEmpty else { return }
    lines.append(".SH \(heading)")
    for entry in entries {
      lines += [".TP", "\(font) \(Self.escaped(entry.name))", Self.escaped(entry.meaning)]
    }
  }

  private mutating func write(_ command: CommandTree, path: [String]) {
    let path = path + [command.commandName]
    // A group of commands has no section of its own; only its commands have one.
    if command.shown.isEmpty {
      lines.append(".SS \(Self.escaped(path.joined(separator: " ")))")
      paragraphs(command.abstract)
      paragraphs(command.discussion)
      writeArguments(of: command)
    }
    for child in command.shown { write(child, path: path) }
  }

  private mutating func writeArguments(of command: CommandTree) {
    for argument in (command.arguments ?? []).filter(\.shouldDisplay)
    where argument.names?.contains(where: { $0.name == "help" }) != true {
      lines += [".TP", ".B \(Self.escaped(CommandHelp.usage(argument)))"]
      let fallback = argument.defaultValue.map { " The default is \($0)." } ?? ""
      paragraphs(Self.sentence(argument.meaning, isWhole: true) + fallback)
    }
  }

  /// Adds paragraphs, which empty lines separate in the text.
  private mutating func paragraphs(_ text: String?) {
    var isFirst = true
    for paragraph in (text ?? "").split(separator: "\n\n") {
      if !isFirst { lines.append(".PP") }
      isFirst = false
      lines += paragraph.split(separator: "\n").map { Self.escaped(String($0)) }
    }
  }

  /// Returns a sentence with or without its full stop.
  private static func sentence(_ text: String?, isWhole: Bool = false) -> String {
    var text = text ?? ""
    if text.hasSuffix(".") { text.removeLast() }
    return text.isEmpty || !isWhole ? text : text + "."
  }

  /// Escapes a line so that no character acts as a request or an escape of roff.
  static func escaped(_ line: String) -> String {
    var result = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "`": result += "\\(ga"
      case " "..."~": result.unicodeScalars.append(scalar)
      case _ where scalar.value >= 0xA0:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      default: result += " "
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
