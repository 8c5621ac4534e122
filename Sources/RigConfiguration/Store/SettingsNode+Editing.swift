import Settings

/// The contents that an edit is expected to give.
extension SettingsNode {
  /// Returns a copy with another value under a path; missing sections are appended.
  func setting(_ path: ArraySlice<String>, to value: SettingsNode) -> SettingsNode {
    guard let key = path.first else { return value }
    var entries: [Entry] = []
    if case .section(let present) = content { entries = present }
    let index = entries.firstIndex { $0.key.scalar == key }
    let present = index.map { entries[$0].value } ?? SettingsNode(.section([]))
    let changed = present.setting(path.dropFirst(), to: value)
    if let index {
      entries[index] = Entry(key: entries[index].key, value: changed)
    } else {
      entries.append(Entry(key: SettingsNode(.scalar(key, isPlain: true)), value: changed))
    }
    return SettingsNode(.section(entries))
  }

  /// Returns the key at the end of a path; `nil` for a path that is not there.
  func key(at path: ArraySlice<String>) -> SettingsNode? {
    guard case .section(let entries) = content,
      let entry = entries.first(where: { $0.key.scalar == path.first })
    else { return nil }
    return path.count == 1 ? entry.key : entry.value.key(at: path.dropFirst())
  }

  /// Returns a copy in which the key at the end of a path has another name.
  func renamingKey(at path: ArraySlice<String>, to name: String) -> SettingsNode {
    guard case .section(let entries) = content else { return self }
    let renamed = entries.map { entry in
      guard entry.key.scalar == path.first else { return entry }
      let inner = path.dropFirst()
      return inner.isEmpty
        ? Entry(name, entry.value)
        : Entry(key: entry.key, value: entry.value.renamingKey(at: inner, to: name))
    }
    return SettingsNode(.section(renamed))
  }
}
