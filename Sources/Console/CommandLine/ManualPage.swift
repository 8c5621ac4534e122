/// A manual page, man(7), generated from the tree of commands.
package struct ManualPage {
  private let tree: CommandTree
  private var lines: [String] = []

  package init(_ tree: CommandTree) {
    self.tree = tree
    write()
  }

  /// The page's source.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func write() {
    let name = tree.commandName
    lines = [
      ".\\\" Made from the command line's own description; changes belong there.",
      ".TH \(name.uppercased()) 1 \"\" Platen \"Platen\"",
      ".SH NAME", Self.escaped("\(name) ") + "\\- " + Self.escaped(Self.sentence(tree.abstract)),
      ".SH SYNOPSIS", ".B \(Self.escaped(name))", "COMMAND [OPTION]...",
      ".SH DESCRIPTION",
    ]
    paragraphs(tree.discussion)
    lines.append(".SH COMMANDS")
    for command in tree.shown { write(command, path: []) }
    lines += [
      ".SH ENVIRONMENT", ".TP", ".B PLATEN_SOCKET",
      "The service's socket, unless --socket names it.",
      ".TP", ".B TERM",
      "The terminal; without one that is known the console sends no escape sequences.",
      ".TP", ".B XDG_STATE_HOME",
      "The folder for the history of the console, platen/console\\-history, unless it is relative.",
      ".SH FILES", ".TP", ".I /run/platen/platend.sock", "The service's socket.", ".TP",
      ".I ~/.local/state/platen/console\\-history",
      "The lines that were run in the console, unless XDG_STATE_HOME names another folder.",
    ]
  }

  private mutating func write(_ command: CommandTree, path: [String]) {
    let path = path + [command.commandName]
    // A group of commands has no section of its own; only its commands have one.
    if command.shown.isEmpty {
      let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
      lines.append(".SS \(Self.escaped(path.joined(separator: " ")))")
      paragraphs(command.abstract)
      paragraphs(command.discussion)
      for argument in arguments where argument.names?.contains(where: { $0.name == "help" }) != true
      {
        lines += [".TP", ".B \(Self.escaped(CommandHelp.usage(argument)))"]
        let fallback = argument.defaultValue.map { " The default is \($0)." } ?? ""
        paragraphs(Self.sentence(argument.abstract, isWhole: true) + fallback)
      }
    }
    for child in command.shown { write(child, path: path) }
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
