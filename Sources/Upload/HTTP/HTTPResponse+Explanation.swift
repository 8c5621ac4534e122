import Foundation
import Transfer

extension HTTPResponse {
  /// The words of the answer for people, besides its status: the first ones of its text, where a
  /// redirection leads, and which authentication is asked for where that is neither Basic nor Digest;
  /// empty when it has none of these.
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

/// The words in a document that a server answers with.
enum ServerWords {
  /// The elements that say why: sabre/dav's, and the title of the pages of nginx, Apache and others.
  private static let elements = ["s:message", "message", "title", "h1"]
  private static let entities = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&#39;", "'"),
    ("&nbsp;", " "), ("&amp;", "&"),
  ]

  /// The words of a text that say why, or all of them.
  static func first(of text: String) -> String {
    // A page is long; what says why stands near its beginning.
    let text = text.prefix(4096)
    guard text.contains("<") else { return String(text) }
    let content = elements.lazy.compactMap { Self.content(of: $0, in: text) }
      .map(Self.withoutTags).first { !$0.allSatisfy(\.isWhitespace) }
    return content ?? withoutTags(text)
  }

  /// The content of the first element of a name.
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
