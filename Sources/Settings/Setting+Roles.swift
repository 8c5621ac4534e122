/// The settings of sections whose parts a function takes.
extension Setting {
  /// Makes a section whose part a function takes.
  ///
  /// - Parameter add: takes the part.
  package static func section<Part: SettingsPart>(
    _ key: String, default standard: String = "none", _ meaning: String,
    add: @escaping @Sendable (Part, inout Root) -> Void
  ) -> Setting {
    let own = ConfigurationKey(key, "section", default: standard, meaning)
    return Setting([own] + Part.keys(below: key)) { section, root in
      if let inner = section.section(key) { add(Part(inner), &root) }
    }
  }

  /// Makes a section of parts with the names of an enumeration, in the enumeration's order.
  ///
  /// - Parameters:
  ///   - placeholder: the capitals that stand for a name in the explanation.
  ///   - range: the names in words.
  ///   - add: takes a part with its name.
  package static func sections<
    Name: CaseIterable & RawRepresentable<String> & Sendable, Part: SettingsPart
  >(
    _ key: String, _ placeholder: String, range: String, _ meaning: String, partMeaning: String,
    add: @escaping @Sendable (Name, Part, SettingsSection, inout Root) -> Void
  ) -> Setting {
    let keys =
      [
        ConfigurationKey(key, "section", meaning),
        ConfigurationKey("\(key).\(placeholder)", "section", range, partMeaning),
      ] + Part.keys(below: "\(key).\(placeholder)")
    let names = Name.allCases.map { (name: $0, key: $0.rawValue) }
    return Setting(keys) { section, root in
      guard let inner = section.section(key) else { return }
      for (name, key) in names {
        guard let part = inner.section(key) else { continue }
        add(name, Part(part), inner, &root)
      }
      inner.refuseUnknownKeys()
    }
  }
}
