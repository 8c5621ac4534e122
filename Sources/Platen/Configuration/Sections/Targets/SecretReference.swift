import Transfer
import Upload

/// The place of a secret: a file, or a credential that systemd passes to the service.
package enum SecretReference: Sendable, Hashable {
  /// A file with the secret.
  case file(String)
  /// The name of a credential, which the unit loads (`LoadCredential=`, systemd.exec(5)).
  case credential(String)

  init?(_ text: String) {
    if text.hasPrefix("/") {
      self = .file(text)
      return
    }
    let prefix = "credential:"
    let name = text.dropFirst(prefix.count)
    guard text.hasPrefix(prefix), !name.isEmpty, !name.contains("/"), name != ".", name != ".."
    else { return nil }
    self = .credential(String(name))
  }
}

extension ConfigurationMapping {
  /// Notes a problem that a target itself would report, at its key.
  func note(_ problem: TargetProblem?) {
    guard let problem, has(problem.part.rawValue) else { return }
    note("cannot be used: \(problem.cause)", at: problem.part.rawValue)
  }

  /// Reads the place of a secret.
  ///
  /// A secret in place of its path is not repeated in the issue.
  func secret(_ key: String) -> SecretReference? {
    value(key, expected: "an absolute path or credential:NAME", isQuoted: false) {
      SecretReference($0)
    }
  }

  /// Reads user and password: `user` and `password_file`, both or none.
  func login() -> (user: String, password: SecretReference)? {
    let user = value("user", expected: "a user's name without a colon") { text in
      text.isEmpty || text.contains(":") ? nil : text
    }
    let password = secret("password_file")
    if has("user") != has("password_file") {
      note(
        "goes with \"\(has("user") ? "password_file" : "user")\"; both or none",
        at: has("user") ? "user" : "password_file")
    }
    guard let user, let password else { return nil }
    return (user, password)
  }

  /// Reads the key `url`: the URL of a target, without credentials.
  func targetURL() -> String? {
    require("url", "an http or https URL")
    guard let text = text("url", expected: "an http or https URL") else { return nil }
    // The check comes first, because a value with a password must not be quoted.
    guard !text.contains("@") else {
      note("must hold no credentials; there are keys of their own for them", at: "url")
      return nil
    }
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, ["http:", "https:"].contains(parts[0].lowercased()), parts[1].isEmpty,
      !parts[2].isEmpty
    else {
      note("expected an http or https URL, found \"\(redactedURL(text).prefix(60))\"", at: "url")
      return nil
    }
    return text
  }
}
