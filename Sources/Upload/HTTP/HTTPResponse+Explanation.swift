import Foundation
import Transfer

extension HTTPResponse {
  /// The explanation in an answer for people, besides its status; may be empty.
  ///
  /// An explanation holds the first words of the text, the place that a redirection leads to, and
  /// the authentication asked for. The authentication is named only if it is neither Basic nor
  /// Digest.
  var explanation: String {
    let words = ByteText.shown(ServerWords.first(of: text), maximum: 120)
    let said = words.isEmpty ? "" : " (\(words))"
    if status == 401, !authenticationSchemes.isEmpty, !asksForKnownAuthentication {
      let schemes = authenticationSchemes.joined(separator: ", ")
      return said + "; it asks for \"\(ByteText.shown(schemes, maximum: 60))\""
    }
    guard (300...399).contains(status), let place = self["Location"] else { return said }
    return said
      + "; it leads to \"\(ByteText.shown(redactedURL(place), maximum: 120))\", "
      + "which has to stand in the configuration if it is right"
  }
}

/// The words in a document that a server sends.
enum ServerWords {
  /// The elements that give a reason: sabre/dav's, and the titles of nginx, Apache and others.
  private static let elements = ["s:message", "message", "title", "h1"]
  private static let entities = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&#39;", "'"),
    ("&nbsp;", " "), ("&amp;", "&"),
  ]

  /// Returns the words of a text that give a reason, or all words.
  static func first(of text: String) -> String {
    // A page may be long, but the reason is near its beginning.
    let text = text.prefix(4096)
    guard text.contains("<") else { return String(text) }
    let content = elements.lazy.compactMap { Self.content(of: $0, in: text) }
      .map(Self.withoutTags).first { !$0.allSatisfy(\.isWhitespace) }
    return content ?? withoutTags(text)
  }

  /// Returns the content of the first element with a name.
  private static func content(of name: String, in text: Substring) -> Substring? {
    guard let opening = text.range(of: "<\(name)", options: .caseInsensitive),
      let start = text[opening.upperBound...].firstIndex(of: ">"),
      let end = text[start...].range(of: "</\(name)", options: .caseInsensitive)
    else { return nil }
    return text[text.index(after: start)..<end.lowerBound]
  }

  private static func withoutTags(_ text: Substring) -> String {
    var words = ""
    var isInTag = false
    for character in text {
      switch character {
      case "<": isInTag = true
      case ">" where isInTag:
        isInTag = false
        words += " "
      case _ where !isInTag: words.append(character)
      default: break
      }
    }
    return entities.reduce(words) { $0.replacing($1.0, with: $1.1) }
  }
}
