import Yams

/// The contents of a YAML text without its layout, to see what an edit has changed.
indirect enum ConfigurationTree: Equatable {
  /// A value; `true` and `false` are booleans only without quotes.
  case scalar(String, isPlain: Bool)
  case sequence([ConfigurationTree])
  case mapping([Entry])

  /// A key and its value.
  struct Entry: Equatable {
    var key: String
    var value: ConfigurationTree
  }

  init(_ node: Node) {
    switch node {
    case .scalar(let scalar):
      self = .scalar(scalar.string, isPlain: scalar.style == .plain || scalar.style == .any)
    case .sequence(let sequence):
      self = .sequence(sequence.map { ConfigurationTree($0) })
    case .mapping(let mapping):
      self = .mapping(
        mapping.map { Entry(key: $0.key.scalar?.string ?? "", value: ConfigurationTree($0.value)) })
    case .alias: self = .scalar("", isPlain: false)
    }
  }

  /// Returns a copy with another value under a path; missing sections are appended.
  func setting(_ path: ArraySlice<String>, to value: ConfigurationTree) -> ConfigurationTree {
    guard let key = path.first else { return value }
    let rest = path.dropFirst()
    guard case .mapping(var entries) = self else {
      return .mapping([
        Entry(key: key, value: ConfigurationTree.mapping([]).setting(rest, to: value))
      ])
    }
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value = entries[index].value.setting(rest, to: value)
    } else {
      let inner = rest.isEmpty ? value : ConfigurationTree.mapping([]).setting(rest, to: value)
      entries.append(Entry(key: key, value: inner))
    }
    return .mapping(entries)
  }
}
