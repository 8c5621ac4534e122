/// A key of the configuration file and its meaning: a line of `platenctl config explain`.
///
/// A part of a path in capitals stands for a freely chosen name, or for one of several names.
package struct ConfigurationKey: Sendable, Hashable, Codable {
  /// The key's path, for example `camera.frame_rate` or `targets.NAME.url`.
  package var path: String
  /// The kind of the key's value, for example `duration`.
  package let type: String
  /// The allowed values with their units; `nil` where the type says all.
  package var range: String?
  /// The default: a value, `none`, or `required`.
  package let standard: String
  /// The meaning of the key.
  package let meaning: String
  /// Whether only an administrator may set the key, in the file itself.
  package var isReserved: Bool
  /// The path of an earlier version, which is still read; `nil` for none.
  package private(set) var former: String?

  /// Makes a key.
  ///
  /// - Parameter path: the key's path from the section that has it.
  package init(
    _ path: String, _ type: String, _ range: String? = nil, default standard: String = "none",
    isReserved: Bool = false, _ meaning: String
  ) {
    self.path = path
    self.type = type
    self.range = range
    self.standard = standard
    self.meaning = meaning
    self.isReserved = isReserved
  }

  /// Makes a key that takes every value of its type.
  package init(_ path: String, _ type: String, _ meaning: String) {
    self.init(path, type, nil, meaning)
  }

  /// Returns the key below a section.
  func below(_ section: String) -> ConfigurationKey {
    var key = self
    key.path = "\(section).\(path)"
    key.former = former.map { "\(section).\($0)" }
    return key
  }

  /// Returns the key with its former path, if the key is the renamed one or below it.
  func renamed(from former: String, to name: String) -> ConfigurationKey {
    guard path == name || path.hasPrefix(name + ".") else { return self }
    var key = self
    key.former = former + path.dropFirst(name.count)
    return key
  }

  /// Returns whether the key is at a typed path, or below that path.
  ///
  /// - Parameter text: a path or the beginning of one, with names in the place of the capitals. The
  ///   path of an earlier version is one, too.
  package func isMeant(by text: String) -> Bool {
    [path, former].compactMap(\.self).contains { Self.isPath($0, at: text, orBelow: true) }
  }

  /// Returns the present path for a path of an earlier version; `nil` for any other path.
  func presentPath(for text: String) -> String? {
    guard let former, Self.isPath(former, at: text, orBelow: false) else { return nil }
    let given = text.split(separator: ".")
    let old = former.split(separator: ".")
    let new = path.split(separator: ".")
    return given.indices.map { old[$0] == new[$0] ? given[$0] : new[$0] }.joined(separator: ".")
  }

  private static func isPath(_ path: String, at text: String, orBelow: Bool) -> Bool {
    let own = path.split(separator: ".")
    let asked = text.split(separator: ".")
    guard asked.count == own.count || orBelow && asked.count < own.count else { return false }
    return zip(own, asked).allSatisfy { $0 == $1 || $0.allSatisfy(\.isUppercase) }
  }
}

extension [ConfigurationKey] {
  /// Returns the present path of a key, also for its path of an earlier version.
  package func presentPath(of path: String) -> String {
    compactMap { $0.presentPath(for: path) }.first ?? path
  }
}
