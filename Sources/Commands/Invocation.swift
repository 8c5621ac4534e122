import Console

/// The way the program was started: as a command, or as a login shell.
enum Invocation: Equatable {
  /// A command with these words.
  case command([String])
  /// A login shell for a person.
  case console
  /// A login shell for a program.
  case jsonLines
  /// A login shell that runs one command with these words.
  case single([String])
  /// A login shell with unsuitable arguments, and the reason in a sentence.
  case refused(String)

  /// The name under which the program is the login shell for a program.
  private static let programShellName = "platen-jsonl"
  /// The names under which the program is a login shell.
  private static let shellNames: Set<String> = [
    "platen-console", "platenctl-console", programShellName,
  ]

  /// Reads the arguments, the program's own name first.
  static func read(_ arguments: [String]) -> Invocation {
    let name = arguments.first ?? "platenctl"
    let words = Array(arguments.dropFirst())
    // login(1), sshd(8) and su(1) put a hyphen before a shell's name.
    let base = name.drop { $0 == "-" }.split(separator: "/").last.map(String.init) ?? name
    guard name.hasPrefix("-") || shellNames.contains(base) else { return .command(words) }
    switch words.first {
    case nil, "-l", "--login":
      guard words.count <= 1 else {
        return .refused("A login shell takes \"-c COMMAND\" alone.")
      }
      return base == programShellName ? .jsonLines : .console
    case "-c" where words.count == 2:
      do {
        var command = try CommandWords.split(words[1])
        if command.first == "platenctl" { command.removeFirst() }
        return command.isEmpty ? .refused("The command is empty.") : .single(command)
      } catch {
        return .refused(error.description)
      }
    default:
      return .refused("A login shell takes \"-c COMMAND\" alone.")
    }
  }
}
