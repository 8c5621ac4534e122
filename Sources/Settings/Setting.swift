/// A part of the configuration that a section of the file describes.
package protocol SettingsPart: Sendable {
  /// Makes the part that the defaults describe.
  init()

  /// The settings of the section, in the order of its explanation.
  static var settings: [Setting<Self>] { get }

  /// Completes the part and refuses settings that do not agree, after all of them have been read.
  mutating func agree(in section: SettingsSection)
}

extension SettingsPart {
  /// Leaves the part as it was read.
  package mutating func agree(in section: SettingsSection) {}

  /// Reads a section, and refuses its unknown keys.
  package init(_ section: SettingsSection) {
    self.init()
    for setting in Self.settings { setting.read(section, &self) }
    agree(in: section)
    section.refuseUnknownKeys()
  }

  /// The keys of the section with their meanings.
  package static var keys: [ConfigurationKey] {
    let defaults = Self()
    return settings.flatMap { $0.keys(defaults) }
  }
}

/// The declaration of a setting: its key, form, default and meaning, and the property it fills.
///
/// The default is the property's value in a part without settings.
package struct Setting<Root>: Sendable {
  /// Reads the setting from a section.
  let read: @Sendable (SettingsSection, inout Root) -> Void
  /// Returns the keys of the setting.
  let keys: @Sendable (_ defaults: Root) -> [ConfigurationKey]

  /// Makes a setting of several keys, or with a reader of its own.
  ///
  /// - Parameters:
  ///   - keys: the keys, relative to the section.
  ///   - read: reads the keys.
  package init(
    _ keys: [ConfigurationKey],
    read: @escaping @Sendable (SettingsSection, inout Root) -> Void
  ) {
    self.read = read
    self.keys = { _ in keys }
  }

  /// Makes a setting with a reader of its own, whose keys are made only for an explanation.
  init(
    read: @escaping @Sendable (SettingsSection, inout Root) -> Void,
    keys: @escaping @Sendable (_ defaults: Root) -> [ConfigurationKey]
  ) {
    self.read = read
    self.keys = keys
  }

  /// Makes a setting that fills a property.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - key: the key.
  ///   - form: the form of the value.
  ///   - only: the circumstances in which the key is allowed, in words.
  ///   - standard: the default in words; `nil` where the property's value says it.
  ///   - expected: the words for a missing value, which is then refused; `nil` when it has a default.
  ///   - meaning: the meaning of the key.
  package init<Value: Sendable>(
    _ property: any WritableKeyPath<Root, Value> & Sendable, _ key: String,
    _ form: SettingForm<Value>, only: String? = nil, default standard: String? = nil,
    required expected: String? = nil, _ meaning: String
  ) {
    self.init(
      read: { section, root in
        if let expected { section.require(key, expected) }
        if let value = section.value(key, form) { root[keyPath: property] = value }
      },
      keys: { defaults in
        let standard =
          expected != nil ? "required" : standard ?? form.text(defaults[keyPath: property])
        return [
          ConfigurationKey(
            key, form.type, range(form.range, only), default: standard,
            isReserved: form.isSecret, meaning)
        ]
      })
  }

  /// Makes a setting that fills an optional property.
  package init<Value: Sendable>(
    _ property: any WritableKeyPath<Root, Value?> & Sendable, _ key: String,
    _ form: SettingForm<Value>, only: String? = nil, default standard: String? = nil,
    required expected: String? = nil, _ meaning: String
  ) {
    let optional = form.map({ Optional($0) }, text: { $0.map(form.text) ?? "none" })
    self.init(
      property, key, optional, only: only, default: standard, required: expected, meaning)
  }

  /// Makes a setting that fills a property with a list.
  ///
  /// - Parameter needsElement: whether an empty list is refused.
  package init<Value: Sendable>(
    list property: any WritableKeyPath<Root, [Value]> & Sendable, _ key: String,
    of form: SettingForm<Value>, needsElement: Bool = false, only: String? = nil,
    default standard: String = "none", _ meaning: String
  ) {
    self.init([
      ConfigurationKey(key, "list", range(form.range, only), default: standard, meaning)
    ]) { section, root in
      guard let values = section.list(key, of: form) else { return }
      if needsElement, section.isEmptyList(key) {
        section.note("expected at least one of \(form.range ?? form.expected)", at: key)
      } else {
        root[keyPath: property] = values
      }
    }
  }

  /// The same setting, which only an administrator may set, in the file itself.
  package var reserved: Setting {
    Setting(read: read) { defaults in
      keys(defaults).map { key in
        var key = key
        key.isReserved = true
        return key
      }
    }
  }

  /// Returns the setting of a larger part that has the setting's part in a property.
  package func at<Whole>(_ property: any WritableKeyPath<Whole, Root> & Sendable) -> Setting<Whole>
  {
    Setting<Whole>(
      read: { section, whole in read(section, &whole[keyPath: property]) },
      keys: { keys($0[keyPath: property]) })
  }
}

/// Returns a range with the circumstances in which a key is allowed.
private func range(_ range: String?, _ only: String?) -> String? {
  let parts = [range, only].compactMap { $0 }
  return parts.isEmpty ? nil : parts.joined(separator: "; ")
}

/// The settings of sections.
extension Setting {
  /// Makes a section whose settings fill the same part.
  ///
  /// - Parameter expected: the words for a missing section, which is then refused.
  package static func group(
    _ key: String, default standard: String = "none", required expected: String? = nil,
    _ meaning: String, _ settings: [Setting]
  ) -> Setting {
    Setting(
      read: { section, root in
        if let expected { section.require(key, expected) }
        guard let inner = section.section(key) else { return }
        for setting in settings { setting.read(inner, &root) }
        inner.refuseUnknownKeys()
      },
      keys: { defaults in
        [
          ConfigurationKey(
            key, "section", default: expected == nil ? standard : "required", meaning)
        ] + settings.flatMap { $0.keys(defaults) }.map { $0.below(key) }
      })
  }

  /// Makes a setting that is a value, or a section with that value and more.
  ///
  /// - Parameters:
  ///   - limit: the setting of the bare value, and of the value in the section.
  ///   - name: the key of the value in the section.
  package static func valueOrSection<Value: Sendable>(
    _ property: any WritableKeyPath<Root, Value> & Sendable, _ key: String,
    _ form: SettingForm<Value>, valueKey: String, only: String? = nil, _ meaning: String,
    valueMeaning: String, _ settings: [Setting]
  ) -> Setting {
    let bare = Setting(property, key, form, only: only, meaning)
    let all = [Setting(property, valueKey, form, valueMeaning)] + settings
    let section = group(key, meaning, all)
    return Setting(
      read: { values, root in
        (values.isSection(key) ? section : bare).read(values, &root)
      },
      keys: { defaults in
        let value = bare.keys(defaults)[0]
        return [
          ConfigurationKey(
            key, "\(value.type) or section", value.range, default: value.standard, meaning)
        ] + section.keys(defaults).dropFirst()
      })
  }

  /// Makes a section that fills a part of its own.
  package static func section<Part: SettingsPart>(
    _ property: any WritableKeyPath<Root, Part> & Sendable, _ key: String,
    required expected: String? = nil,
    default standard: String = "none", _ meaning: String
  ) -> Setting {
    Setting(
      read: { section, root in
        if let expected { section.require(key, expected) }
        if let inner = section.section(key) { root[keyPath: property] = Part(inner) }
      },
      keys: { _ in
        sectionKeys(Part.self, key, expected == nil ? standard : "required", nil, meaning)
      })
  }

  /// Makes a section that fills a part of its own, which is there only with the section.
  package static func section<Part: SettingsPart>(
    _ property: any WritableKeyPath<Root, Part?> & Sendable, _ key: String,
    default standard: String = "none", _ meaning: String
  ) -> Setting {
    Setting(
      read: { section, root in
        if let inner = section.section(key) { root[keyPath: property] = Part(inner) }
      },
      keys: { _ in sectionKeys(Part.self, key, standard, nil, meaning) })
  }

  /// Makes a section of parts with freely chosen names, in the order of the file.
  ///
  /// - Parameters:
  ///   - placeholder: the capitals that stand for a name in the explanation.
  ///   - name: the form of a name.
  ///   - noun: the noun of a part in issues, for example "button".
  ///   - add: takes a part with its name.
  package static func named<Part: SettingsPart>(
    _ key: String, _ placeholder: String, name form: SettingForm<String>, noun: String,
    needsOne: Bool = false, default standard: String = "none", _ meaning: String,
    partMeaning: String,
    add: @escaping @Sendable (String, Part, SettingsSection, inout Root) -> Void
  ) -> Setting {
    Setting(
      read: { section, root in
        guard let inner = section.section(key) else { return }
        if needsOne, inner.keys.isEmpty { inner.note("expected at least one \(noun)") }
        for name in inner.keys {
          guard form.parse(name) != nil else {
            inner.note("is no name of a \(noun); expected \(form.expected)", at: name)
            continue
          }
          guard let part = inner.section(name) else { continue }
          add(name, Part(part), inner, &root)
        }
        inner.refuseUnknownKeys()
      },
      keys: { _ in
        [ConfigurationKey(key, "section", default: standard, meaning)]
          + sectionKeys(
            Part.self, placeholder, "none", form.range.map { "a name is \($0)" }, partMeaning
          ).map { $0.below(key) }
      })
  }

  private static func sectionKeys<Part: SettingsPart>(
    _ part: Part.Type, _ key: String, _ standard: String, _ range: String?, _ meaning: String
  ) -> [ConfigurationKey] {
    [ConfigurationKey(key, "section", range, default: standard, meaning)]
      + Part.keys.map { $0.below(key) }
  }
}
