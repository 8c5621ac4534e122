import Settings

/// The keys that only an administrator may set, in the file itself.
///
/// These keys determine the service's programs and input files, the places of its pictures and its
/// audit log, and the permissions.
///
/// Otherwise a caller who may act could gain the service's rights by its configuration. Or the
/// caller could start an empty audit log and leave the waiting pictures behind.
enum ReservedKeys {
  /// The reason why a reserved key is not set.
  static let problem =
    "is only set in the file itself, by who administers the machine: it says what the service "
    + "runs or reads, where its pictures and its audit log lie, or who may do what"

  private static let paths = ReservedKeys.reserved(among: PlatenConfiguration.keys)

  /// Returns the paths of the reserved ones of some keys, also those of earlier versions.
  static func reserved(among keys: [ConfigurationKey]) -> [String] {
    keys.filter(\.isReserved).flatMap { [$0.path, $0.former].compactMap(\.self) }
  }

  /// Returns whether a path is that of a reserved key, or below one.
  static func contains(_ path: [String]) -> Bool {
    paths.contains { reserved in
      let parts = reserved.split(separator: ".")
      return parts.count <= path.count
        && zip(parts, path).allSatisfy { $0 == $1 || $0.allSatisfy(\.isUppercase) }
    }
  }

  /// Returns the first reserved path in which two texts differ; `nil` when there is none.
  ///
  /// The layout of the texts is irrelevant, and so are the paths in `allowed`.
  static func firstChange(
    from old: String, to new: String, except allowed: Set<[String]> = []
  ) -> String? {
    let (old, new) = (leaves(of: old), leaves(of: new))
    return Set(old.keys).union(new.keys).subtracting(allowed)
      .filter { contains($0) && old[$0] != new[$0] }
      .map { $0.joined(separator: ".") }.min()
  }

  private static func leaves(of text: String) -> [[String]: SettingsNode] {
    var leaves: [[String]: SettingsNode] = [:]
    func collect(_ node: SettingsNode, at path: [String]) {
      switch node.content {
      case .scalar: leaves[path] = node
      case .list(let elements):
        if elements.isEmpty { leaves[path] = node }
        for (index, element) in elements.enumerated() { collect(element, at: path + ["\(index)"]) }
      case .section(let entries):
        if entries.isEmpty { leaves[path] = node }
        for entry in entries { collect(entry.value, at: path + [entry.key.scalar ?? ""]) }
      }
    }
    if let node = try? ConfigurationYAML.compose(text) { collect(node, at: []) }
    return leaves
  }
}
