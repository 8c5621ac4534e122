import Foundation
import Upload

/// The displayable form of a configuration's text, and the difference of two texts.
enum ConfigurationText {
  /// The text that replaces a secret.
  static let mask = "(not shown)"

  /// Returns whether a key may hold a secret; a key that ends with `_file` names only a file.
  static func mayHoldSecret(_ key: String) -> Bool {
    let key = key.lowercased()
    guard !key.hasSuffix("_file") else { return false }
    return ["password", "passphrase", "secret", "token", "private_key", "credential"].contains {
      key.contains($0)
    }
  }

  /// Returns whether a key names the file of a secret or of a key.
  private static func namesFile(_ key: String) -> Bool {
    let key = key.lowercased()
    return key.hasSuffix("_file") || key.hasSuffix("client_key")
  }

  /// Returns the text with all possible secrets masked.
  ///
  /// The reader refuses keys with secrets, but refused texts are shown, too.
  ///
  /// After a key for the file of a secret, any other value may be the secret itself. After a key
  /// with a possible secret, the rest of its line and the further indented lines are masked. User
  /// and password in a URL are masked as well.
  static func masked(_ text: String) -> String {
    var deeper: Int?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let indentation = line.prefix { $0 == " " }.count
      let isEmpty = line.allSatisfy(\.isWhitespace)
      // The elements of a list may follow their key without indentation.
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

  /// Returns the end of a line's first key that may hold a secret, after its colon.
  ///
  /// The key may be in a comment, which may contain an old secret.
  private static func endOfSecretKey(_ line: Substring) -> String.Index? {
    line.matches(of: /([A-Za-z0-9_.-]+)["']?\s*:(?=\s|$|["'])/)
      .first { match in
        let key = String(match.output.1)
        return mayHoldSecret(key)
          || (namesFile(key) && !beginsWithPlace(line[match.range.upperBound...]))
      }?.range.upperBound
  }

  /// Returns whether a text begins with the place of a secret in a form that the reader accepts.
  private static func beginsWithPlace(_ rest: Substring) -> Bool {
    let text = rest.drop { $0.isWhitespace }
    let value: Substring =
      if let quote = text.first, quote == "\"" || quote == "'" {
        text.dropFirst().prefix { $0 != quote }
      } else {
        text.prefix { !$0.isWhitespace && !",}]".contains($0) }
      }
    return SecretFile(place: String(value)) != nil
  }

  private static func maskedURLs(_ line: Substring) -> String {
    String(line).replacing(/:\/\/[^\/\s"']*@/, with: "://\(mask)@")
  }

  /// The maximum number of compared lines, not counting the common start and end of two texts.
  static let comparedLines = 2000

  /// Returns the changed lines, each after `-` or `+`, with unchanged lines after ` ` around them.
  ///
  /// If more lines differ than are compared, all old lines are removed and all new lines inserted.
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
  /// The place in the old or the new collection.
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
