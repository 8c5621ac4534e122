package import API
import Foundation

/// Entries in the system's log about changes of a configuration file without the service.
///
/// An entry holds the user, the command and the keys, never a value.
extension SystemManager {
  /// Logs a change that a user is about to make.
  package static func note(_ request: LocalConfigurationRequest, to file: String) {
    note(words(of: request, to: file))
  }

  /// Logs the result of a change.
  package static func note(_ report: ConfigurationChangeReport, to file: String) {
    note(words(of: report, to: file))
  }

  /// Logs a setup that a user is about to make.
  package static func noteSetup(of file: String) {
    note("user \(getuid()) runs \"setup\" on \"\(PlainText.escaping(file))\"")
  }

  static func words(of request: LocalConfigurationRequest, to file: String) -> String {
    var command = "config"
    if let change = request.change {
      let keys = change.set.keys.sorted().map { PlainText.escaping(String($0.prefix(100))) }
      command += " set " + keys.joined(separator: " ")
    }
    if let rollback = request.rollback {
      command += " rollback" + (rollback.to.map { " --to \($0)" } ?? "")
    }
    return "user \(getuid()) runs \"\(command)\" on \"\(PlainText.escaping(file))\" "
      + "without the service"
  }

  static func words(of report: ConfigurationChangeReport, to file: String) -> String {
    let keys = keys(in: report.lines)
    return "user \(getuid()) has changed "
      + (report.lines.isEmpty ? "nothing in " : "") + "\"\(PlainText.escaping(file))\""
      + (keys.isEmpty ? "" : ", keys \(keys.joined(separator: ", "))")
  }

  /// Returns the keys in removed or inserted lines without sections, in order, each once.
  static func keys(in lines: [String]) -> [String] {
    var keys: [String] = []
    for line in lines where line.hasPrefix("-") || line.hasPrefix("+") {
      let text = line.dropFirst().drop { $0 == " " || $0 == "-" }
      let key = String(text.prefix { isOfName($0) })
      let rest = text.dropFirst(key.count)
      guard !key.isEmpty, key.count <= 64, rest == ":" || rest.hasPrefix(": ") else { continue }
      if !keys.contains(key), keys.count < 64 { keys.append(key) }
    }
    return keys
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || character == "_" || character == "-")
  }
}
