/// The declarations by which a program shows a rig to people: the answer to `GET /v1/declarations`.
package struct DeclarationsReport: Sendable, Hashable, Codable {
  /// A key of the configuration file.
  package struct Setting: Sendable, Hashable, Codable {
    /// The key's path; a word in capitals stands for a name that people choose.
    package let path: String
    /// The kind of the key's value, for example `duration`.
    package let type: String
    /// The allowed values with their units; `nil` where the type says all.
    package let range: String?
    /// The default: a value, `none`, or `required`.
    package let standard: String
    /// The meaning of the key.
    package let meaning: String
    /// Whether only an administrator may set the key, in the file itself.
    package let isReserved: Bool

    package init(
      path: String, type: String, range: String?, standard: String, meaning: String,
      isReserved: Bool
    ) {
      self.path = path
      self.type = type
      self.range = range
      self.standard = standard
      self.meaning = meaning
      self.isReserved = isReserved
    }
  }

  /// A code that the rig gives as a reason.
  package struct Code: Sendable, Hashable, Codable {
    /// The code, for example `cameraUnplugged`.
    package let code: String
    /// The digits that a light flashes; `nil` for none.
    package let flashes: String?
    /// The meaning of the code; `nil` where the advice alone is declared.
    package let meaning: String?
    /// The advice to a person at the rig; `nil` for none.
    package let advice: String?

    package init(code: String, flashes: String?, meaning: String?, advice: String?) {
      self.code = code
      self.flashes = flashes
      self.meaning = meaning
      self.advice = advice
    }
  }

  /// The keys of the configuration file, in their order.
  package let settings: [Setting]
  /// The codes of the lights and of the doctor, in alphabetical order.
  package let codes: [Code]

  package init(settings: [Setting], codes: [Code]) {
    self.settings = settings
    self.codes = codes
  }
}
