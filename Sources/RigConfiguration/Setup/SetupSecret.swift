import Settings
import Upload

/// A secret that a setup file contains in its own text.
///
/// The configuration names a file for each secret, by a key such as `password_file`. A setup file
/// may have the secret itself under the key without the ending, such as `password`.
struct SetupSecret: Sendable, Equatable {
  private static let ending = "_file"
  private static let keys = PlatenConfiguration.keys
    .filter { $0.type == SettingForm<SecretFile>.secretFile.type && $0.path.hasSuffix(ending) }
    .map { $0.path.split(separator: ".").map(String.init) }

  /// The path of the key that names the secret's file.
  let path: [String]
  /// The secret's own key and value, with their places.
  let entry: SettingsNode.Entry

  /// Takes an entry for a secret; `nil` for any other entry.
  ///
  /// - Parameter section: the path of the entry's section.
  init?(_ entry: SettingsNode.Entry, in section: [String]) {
    guard let name = entry.key.scalar else { return nil }
    let path = section + [name + Self.ending]
    let isKnown = Self.keys.contains { key in
      key.count == path.count
        && zip(key, path).allSatisfy { $0 == $1 || $0.allSatisfy(\.isUppercase) }
    }
    guard isKnown else { return nil }
    self.path = path
    self.entry = entry
  }

  /// The name under which the rig keeps the secret, for example `platen.targets.office.password`.
  var name: String {
    String(("platen." + path.joined(separator: ".")).dropLast(Self.ending.count))
  }

  /// The key that names the secret's file, without its section.
  var fileKey: String { path.last ?? "" }

  /// The secret; empty without a usable one.
  var value: String { entry.value.scalar ?? "" }

  /// The reason why there is no usable secret, in words that do not quote it; `nil` for a secret.
  var problem: String? {
    guard let text = entry.value.scalar else { return "expected the secret as a text" }
    if text.allSatisfy(\.isNewline) { return "is empty; expected the secret" }
    return text.utf8.count > SecretFile.maximumByteCount
      ? "is longer than a secret, which has \(SecretFile.maximumByteCount) bytes at most" : nil
  }

  /// Returns the entry that names the secret's file instead, at the same places.
  func naming(_ place: String) -> SettingsNode.Entry {
    SettingsNode.Entry(
      key: SettingsNode(.scalar(fileKey, isPlain: true), at: entry.key.place),
      value: SettingsNode(.scalar(place, isPlain: false), at: entry.value.place))
  }
}

extension SettingsNode {
  /// Returns all secrets of a setup file, in the order of the text.
  func secrets(in section: [String] = []) -> [SetupSecret] {
    guard case .section(let entries) = content else { return [] }
    return entries.flatMap { entry in
      SetupSecret(entry, in: section).map { [$0] }
        ?? entry.value.secrets(in: section + [entry.key.scalar ?? ""])
    }
  }

  /// Returns a copy that names a place for each secret.
  func naming(
    in section: [String] = [], _ place: (SetupSecret) -> String
  ) -> SettingsNode {
    guard case .section(let entries) = content else { return self }
    let named = entries.map { entry in
      if let secret = SetupSecret(entry, in: section) { return secret.naming(place(secret)) }
      let below = section + [entry.key.scalar ?? ""]
      return Entry(key: entry.key, value: entry.value.naming(in: below, place))
    }
    return SettingsNode(.section(named), at: self.place)
  }
}
