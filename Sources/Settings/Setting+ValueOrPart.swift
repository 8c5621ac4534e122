/// The settings that are a value, or a section with values of its own.
extension Setting {
  /// Makes a setting that is a value, or a section from whose part a function makes the value.
  ///
  /// - Parameters:
  ///   - form: the form of the bare value; its kind, range and expectation name the section too.
  ///   - standard: the default in words.
  ///   - make: makes the value from the section's part.
  package static func valueOrPart<Value: Sendable, Part: SettingsPart>(
    _ property: any WritableKeyPath<Root, Value?> & Sendable, _ key: String,
    _ form: SettingForm<Value>, default standard: String, _ meaning: String,
    make: @escaping @Sendable (Part) -> Value
  ) -> Setting {
    let keys =
      [ConfigurationKey(key, form.type, form.range, default: standard, meaning)]
      + Part.keys.map { $0.below(key) }
    return Setting(keys) { section, root in
      if section.isSection(key) {
        if let inner = section.section(key) { root[keyPath: property] = make(Part(inner)) }
      } else if let value = section.value(key, form) {
        root[keyPath: property] = value
      }
    }
  }
}
