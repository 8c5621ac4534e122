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
}
