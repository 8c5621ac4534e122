extension SettingsPart {
  /// Reads a section over the values of the part, and refuses the section's unknown keys.
  ///
  /// A key that the section does not have leaves its value as it is.
  package mutating func fill(from section: SettingsSection) {
    for setting in Self.settings { setting.read(section, &self) }
    agree(in: section)
    section.refuseUnknownKeys()
  }

  /// Returns the keys of the part with their paths from an outer section.
  ///
  /// - Parameter section: the path of the part's own section.
  package static func keys(below section: String) -> [ConfigurationKey] {
    keys.map { $0.below(section) }
  }
}

extension Setting {
  /// Makes a setting that fills a property with a set, which is a list in the file.
  package init<Value: Hashable & Sendable>(
    set property: any WritableKeyPath<Root, Set<Value>> & Sendable, _ key: String,
    of form: SettingForm<Value>, default standard: String = "none", _ meaning: String
  ) {
    self.init([ConfigurationKey(key, "list", form.range, default: standard, meaning)]) {
      section, root in
      if let values = section.list(key, of: form) { root[keyPath: property] = Set(values) }
    }
  }
}

extension Setting where Root: SettingsPart {
  /// Returns the setting of a value whose key may also have a section with settings of its own.
  ///
  /// The value in the section may have another form than the bare one.
  package func orSection(_ settings: [Setting]) -> Setting {
    let defaults = Root()
    let bare = keys(defaults)[0]
    let section = Setting.group(bare.path, bare.meaning, settings)
    let key = ConfigurationKey(
      bare.path, "\(bare.type) or section", bare.range, default: bare.standard,
      isReserved: bare.isReserved, bare.meaning)
    return Setting([key] + section.keys(defaults).dropFirst()) { values, root in
      (values.isSection(bare.path) ? section : self).read(values, &root)
    }
  }
}
