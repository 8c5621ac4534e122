/// The form of a setting's value: its kind, its range, and the text that stands for it.
package struct SettingForm<Value: Sendable>: Sendable {
  /// The kind of the value, for example `duration`.
  package var type: String
  /// The allowed values with their units; `nil` where the type says all.
  package var range: String?
  /// The expected value in the words of an issue.
  package var expected: String
  /// Whether an issue must not quote the value, because it may be a secret or a file's contents.
  package var isSecret = false
  /// Whether the value has to be written without quotes.
  var isPlain = false
  /// Returns the value that a text stands for; `nil` refuses the text.
  let parse: @Sendable (String) -> Value?
  /// Returns the text that stands for a value.
  let text: @Sendable (Value) -> String

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - type: the kind of the value.
  ///   - range: the allowed values with their units; `nil` where the type says all.
  ///   - expected: the expected value in the words of an issue.
  ///   - text: the text of a value, for the explanation of a default.
  ///   - parse: a function from the text to the value; `nil` refuses the text.
  package init(
    _ type: String, range: String?, expected: String,
    text: @escaping @Sendable (Value) -> String = { "\($0)" },
    parse: @escaping @Sendable (String) -> Value?
  ) {
    self.type = type
    self.range = range
    self.expected = expected
    self.text = text
    self.parse = parse
  }

  func value(of node: SettingsNode) -> Value? {
    guard case .scalar(let text, let isPlain) = node.content, isPlain || !self.isPlain else {
      return nil
    }
    return parse(text)
  }

  /// The same form, whose values are not quoted in issues.
  package var secret: SettingForm {
    var form = self
    form.isSecret = true
    return form
  }

  /// Returns a form of another type for the same texts.
  package func map<Other: Sendable>(
    _ make: @escaping @Sendable (Value) -> Other?, text: @escaping @Sendable (Other) -> String
  ) -> SettingForm<Other> {
    var form = SettingForm<Other>(type, range: range, expected: expected, text: text) { written in
      parse(written).flatMap(make)
    }
    form.isSecret = isSecret
    form.isPlain = isPlain
    return form
  }

  /// Returns a form that also takes a word, which stands for no value.
  package func or(_ word: String) -> SettingForm<Value?> {
    SettingForm<Value?>(
      type, range: "\(range ?? type), or \(word)", expected: "\(expected), or \(word)",
      text: { $0.map(text) ?? word },
      parse: { written in written == word ? .some(nil) : parse(written).map { .some($0) } })
  }
}

/// The forms of texts.
extension SettingForm<String> {
  /// Returns the form of a text of 1 to 1024 characters without control characters.
  package static func text(_ expected: String = "a text", range: String? = nil) -> SettingForm {
    SettingForm("text", range: range, expected: expected, text: { $0 }, parse: plainText)
  }

  /// The form of an absolute path.
  package static var path: SettingForm {
    SettingForm("path", range: nil, expected: "an absolute path", text: { $0 }) { text in
      text.hasPrefix("/") ? plainText(text) : nil
    }
  }

  /// Returns the form of a name with a permitted length and permitted characters.
  package static func name(
    _ length: ClosedRange<Int>, of characters: NameCharacters
  ) -> SettingForm {
    let limits = "\(length.lowerBound) to \(length.upperBound) of"
    return SettingForm(
      "text", range: "\(limits) \(characters.description)",
      expected: "\(limits) the characters \(characters.description)", text: { $0 },
      parse: { characters.allow($0, length: length) ? $0 : nil })
  }

  private static func plainText(_ text: String) -> String? {
    guard (1...1024).contains(text.count),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return text
  }
}

extension SettingForm<Bool> {
  /// The form of `true` and `false`, which are written without quotes.
  package static var boolean: SettingForm {
    var form = SettingForm("true or false", range: nil, expected: "true or false") { text in
      text == "true" ? true : text == "false" ? false : nil
    }
    form.isPlain = true
    return form
  }
}

/// The forms of words.
extension SettingForm where Value: Equatable {
  /// Returns the form of a fixed set of words and their values.
  package static func words(_ words: KeyValuePairs<String, Value>) -> SettingForm {
    let pairs = words.map { (word: $0.key, value: $0.value) }
    let list = pairs.map(\.word).joined(separator: ", ")
    return SettingForm(
      "word", range: list, expected: pairs.count == 1 ? list : "one of \(list)",
      text: { value in pairs.first { $0.value == value }?.word ?? "none" },
      parse: { text in pairs.first { $0.word == text }?.value })
  }
}

extension SettingForm where Value: CaseIterable & RawRepresentable<String> {
  /// The form of the spellings of an enumeration.
  package static var word: SettingForm {
    let list = Value.allCases.map(\.rawValue).joined(separator: ", ")
    return SettingForm(
      "word", range: list, expected: Value.allCases.count == 1 ? list : "one of \(list)",
      text: { $0.rawValue }, parse: { Value(rawValue: $0) })
  }
}
