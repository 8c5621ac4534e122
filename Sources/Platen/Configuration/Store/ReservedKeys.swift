import Yams

/// The keys that no caller sets, only who administers the machine, in the file itself: they say which
/// programs the service runs, which files it reads, where its pictures and its audit log lie, and who
/// may do what.
///
/// Whoever may act could otherwise become the service by its own configuration, or begin with an empty
/// audit log and leave the pictures that wait behind.
enum ReservedKeys {
  /// Why one of them is not set.
  static let problem =
    "is only set in the file itself, by who administers the machine: it says what the service "
    + "runs or reads, where its pictures and its audit log lie, or who may do what"

  /// Whether a path is reserved.
  static func contains(_ path: [String]) -> Bool {
    guard let first = path.first, let last = path.last(where: { Int($0) == nil }) else {
      return false
    }
    return first == "api" || first == "power" || path == ["spool", "directory"]
      || last.hasSuffix("_file") || ["client_certificate", "client_key"].contains(last)
  }

  /// The first reserved path that two texts differ in, however the difference was written; `nil`
  /// when there is none.
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
