import Yams

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

  /// Returns whether a path is reserved.
  static func contains(_ path: [String]) -> Bool {
    guard let first = path.first, let last = path.last(where: { Int($0) == nil }) else {
      return false
    }
    return first == "api" || first == "power" || path == ["spool", "directory"]
      || last.hasSuffix("_file") || ["client_certificate", "client_key"].contains(last)
  }

  /// Returns the first reserved path in which two texts differ; `nil` when there is none.
  ///
  /// The layout of the texts is irrelevant.
  static func firstChange(from old: String, to new: String) -> String? {
    let (old, new) = (leaves(of: old), leaves(of: new))
    return Set(old.keys).union(new.keys).filter { contains($0) && old[$0] != new[$0] }
      .map { $0.joined(separator: ".") }.min()
  }

  private static func leaves(of text: String) -> [[String]: ConfigurationTree] {
    var leaves: [[String]: ConfigurationTree] = [:]
    func collect(_ tree: ConfigurationTree, at path: [String]) {
      switch tree {
      case .scalar: leaves[path] = tree
      case .sequence(let elements):
        if elements.isEmpty { leaves[path] = tree }
        for (index, element) in elements.enumerated() { collect(element, at: path + ["\(index)"]) }
      case .mapping(let entries):
        if entries.isEmpty { leaves[path] = tree }
        for entry in entries { collect(entry.value, at: path + [entry.key]) }
      }
    }
    if let node = try? ConfigurationYAML.compose(text) { collect(ConfigurationTree(node), at: []) }
    return leaves
  }
}
