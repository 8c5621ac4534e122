import Foundation

/// What of a configuration's text may be shown, and how two of them differ.
enum ConfigurationText {
  /// What stands in the place of a secret.
  static let mask = "(not shown)"

  /// Whether a key may hold a secret itself; those that end with `_file` name a file only.
  static func mayHoldSecret(_ key: String) -> Bool {
    let key = key.lowercased()
    guard !key.hasSuffix("_file") else { return false }
    return ["password", "passphrase", "secret", "token", "private_key", "credential"].contains {
      key.contains($0)
    }
  }

  /// Whether a key names the file of a secret or of a key.
  private static func namesFile(_ key: String) -> Bool {
    let key = key.lowercased()
    return key.hasSuffix("_file") || key.hasSuffix("client_key")
  }

  /// The text with everything masked that may be a secret: the reader refuses such keys, but a text
  /// that it has refused is shown, too.
  ///
  /// Where the file of a secret is to be named, anything that is no place of one may be the secret.
  /// From such a key on the rest of its line is masked, and the lines that are indented further; so
  /// are user and password in a URL.
  static func masked(_ text: String) -> String {
    var deeper: Int?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let indentation = line.prefix { $0 == " " }.count
      let isEmpty = line.allSatisfy(\.isWhitespace)
      // The elements of a list may stand below their key without being indented.
      let isElement = line.dropFirst(indentation).hasPrefix("-")
      if let limit = deeper, isEmpty || indentation > limit || isElement {
        return isEmpty ? String(line) : line.prefix(indentation) + mask
      }
      deeper = nil
      guard let end = endOfSecretKey(line) else { return maskedURLs(line) }
      deeper = indentation
      return maskedURLs(line[..<end]) + " " + mask
    }
    return lines.joined(separator: "\n")
  }

  /// Where the first key of a line ends that may hold a secret, after its colon; also in a comment,
  /// which may hold an old one.
  private static func endOfSecretKey(_ line: Substring) -> String.Index? {
    line.matches(of: /([A-Za-z0-9_.-]+)["']?\s*:(?=\s|$|["'])/)
      .first { match in
        let key = String(match.output.1)
        return mayHoldSecret(key)
          || (namesFile(key) && !beginsWithPlace(line[match.range.upperBound...]))
      }?.range.upperBound
  }

  /// Whether a value begins that is the place of a secret, as the reader takes it.
  private static func beginsWithPlace(_ rest: Substring) -> Bool {
    let text = rest.drop { $0.isWhitespace }
    let value: Substring =
      if let quote = text.first, quote == "\"" || quote == "'" {
        text.dropFirst().prefix { $0 != quote }
      } else {
        text.prefix { !$0.isWhitespace && !",}]".contains($0) }
      }
    return SecretReference(String(value)) != nil
  }

  private static func maskedURLs(_ line: Substring) -> String {
    String(line).replacing(/:\/\/[^\/\s"']*@/, with: "://\(mask)@")
  }

  /// How many lines are compared with one another at most, beyond what two texts begin and end with.
  static let comparedLines = 2000

  /// What changes from one text to another: lines with ` `, `-` or `+` before them, those that stay
  /// only around the others.
  ///
  /// Where more lines differ than are compared, the old ones are all removed and the new ones all
  /// inserted.
  static func difference(from old: String, to new: String, context: Int = 2) -> [String] {
    let old = old.split(separator: "\n", omittingEmptySubsequences: false)
    let new = new.split(separator: "\n", omittingEmptySubsequences: false)
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    let lines =
      old[..<head].map { " " + $0 }
      + changes(from: old[head..<(old.count - tail)], to: new[head..<(new.count - tail)])
      + old[(old.count - tail)...].map { " " + $0 }
    var isShown = Array(repeating: false, count: lines.count)
    for index in lines.indices where !lines[index].hasPrefix(" ") {
      for near in max(0, index - context)...min(lines.count - 1, index + context) {
        isShown[near] = true
      }
    }
    return lines.indices.filter { isShown[$0] }.map { lines[$0] }
  }

  private static func changes(
    from old: ArraySlice<Substring>, to new: ArraySlice<Substring>
  ) -> [String] {
    guard max(old.count, new.count) <= comparedLines else {
      return old.map { "-" + $0 } + new.map { "+" + $0 }
    }
    let difference = Array(new).difference(from: Array(old))
    let removed = Set(difference.removals.map(\.offset))
    let inserted = Set(difference.insertions.map(\.offset))
    var lines: [String] = []
    var (index, other) = (0, 0)
    while index < old.count || other < new.count {
      if removed.contains(index) {
        lines.append("-" + old[old.startIndex + index])
        index += 1
      } else if inserted.contains(other) {
        lines.append("+" + new[new.startIndex + other])
        other += 1
      } else {
        lines.append(" " + old[old.startIndex + index])
        index += 1
        other += 1
      }
    }
    return lines
  }
}

extension CollectionDifference.Change {
  /// Where it is in the old or the new collection.
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
