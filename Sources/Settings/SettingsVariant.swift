/// A word that decides which further keys its section has, for example a kind of target.
package struct SettingsVariant<Value: Sendable>: Sendable {
  /// The word in the file.
  package let word: String
  /// The meaning of the word, with an article.
  package let meaning: String
  /// Returns the keys of the variant, relative to the section.
  let keys: @Sendable () -> [ConfigurationKey]
  /// Returns the value that a section describes.
  let read: @Sendable (SettingsSection) -> Value

  /// Makes a variant whose further keys fill a part.
  ///
  /// - Parameters:
  ///   - word: the word in the file.
  ///   - meaning: the meaning of the word, with an article.
  ///   - standard: the part that the defaults describe.
  ///   - settings: the settings of the part with this word, which are made when a section has the
  ///     word, or when the keys are explained.
  ///   - make: returns the value for a part.
  package init<Part: SettingsPart>(
    _ word: String, _ meaning: String, _ standard: Part,
    settings: @autoclosure @escaping @Sendable () -> [Setting<Part>] = Part.settings,
    make: @escaping @Sendable (Part) -> Value
  ) {
    self.word = word
    self.meaning = meaning
    keys = { settings().flatMap { $0.keys(standard) } }
    read = { section in
      var part = standard
      for setting in settings() { setting.read(section, &part) }
      part.agree(in: section)
      return make(part)
    }
  }

  /// Returns the keys of all variants, each once, and with the words of the variants that have it.
  ///
  /// The keys of a variant alone are before the next key that it shares with an earlier one. Where
  /// variants differ in the range of a key, each range has its words.
  fileprivate static func keys(of variants: [SettingsVariant]) -> [ConfigurationKey] {
    var merged: [ConfigurationKey] = []
    var uses: [String: [(range: String?, words: [String])]] = [:]
    for variant in variants {
      var next = merged.endIndex
      for key in variant.keys().reversed() {
        var known = uses[key.path] ?? []
        if let index = known.firstIndex(where: { $0.range == key.range }) {
          known[index].words.append(variant.word)
        } else {
          known.append((range: key.range, words: [variant.word]))
        }
        uses[key.path] = known
        if let place = merged.firstIndex(where: { $0.path == key.path }) {
          next = place
        } else {
          merged.insert(key, at: next)
        }
      }
    }
    let all = variants.map(\.word)
    return merged.map { key in
      var key = key
      let known = uses[key.path] ?? []
      let parts: [String]
      if known.count > 1 {
        parts = known.map { [list($0.words), $0.range].compactMap(\.self).joined(separator: ": ") }
      } else {
        let words = known.first?.words ?? all
        parts = [key.range, circumstances(words, of: all)].compactMap(\.self)
      }
      key.range = parts.isEmpty ? nil : parts.joined(separator: "; ")
      return key
    }
  }

  /// Returns the words with which a key is allowed; `nil` when all words allow it.
  private static func circumstances(_ words: [String], of all: [String]) -> String? {
    let others = all.filter { !words.contains($0) }
    guard let other = others.first else { return nil }
    return others.count == 1 && words.count > 1 ? "not \(other)" : list(words)
  }

  /// Returns words as a list in a sentence; `nil` for none.
  private static func list(_ words: [String]) -> String? {
    guard let last = words.last else { return nil }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Setting {
  /// Makes the setting of a word that decides about the section's further keys.
  ///
  /// - Parameters:
  ///   - key: the key of the word, which every section must have.
  ///   - variants: the words and their further keys; a key that several have is explained once, in
  ///     the words of the first.
  ///   - meaning: the meaning of the key, to which the meanings of the words are added.
  ///   - take: takes a word and its value.
  package static func variant<Value>(
    _ key: String, _ variants: [SettingsVariant<Value>], _ meaning: String,
    take: @escaping @Sendable (String, Value, inout Root) -> Void
  ) -> Setting {
    let list = variants.map(\.word).joined(separator: ", ")
    let form = SettingForm<String>(
      "word", range: list, expected: "one of \(list)", text: { $0 },
      parse: { text in variants.contains { $0.word == text } ? text : nil })
    let meanings = variants.map { "\($0.word) is \($0.meaning)" }.joined(separator: ", ")
    let own = ConfigurationKey(
      key, form.type, list, default: "required", "\(meaning): \(meanings)")
    return Setting(
      read: { section, root in
        section.require(key, form.expected)
        guard let word = section.value(key, form),
          let variant = variants.first(where: { $0.word == word })
        else {
          // A key is not called unknown only because the word is.
          for other in SettingsVariant<Value>.keys(of: variants) where !other.path.contains(".") {
            _ = section.has(other.path)
          }
          return
        }
        take(word, variant.read(section), &root)
      }, keys: { _ in [own] + SettingsVariant<Value>.keys(of: variants) })
  }
}
