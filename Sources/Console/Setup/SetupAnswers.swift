import Settings

/// A question about a target, whose answer is the value of a key.
package struct SetupQuestion: Sendable, Hashable {
  /// The target's key in a setup file.
  package let key: String
  /// The question.
  let text: String
  /// Whether the answer is not shown.
  package var isSecret = false
  /// The key without whose value the question is left out; `nil` for none.
  var needs: String?
  /// Whether an empty answer is one.
  var isOptional = false

  /// The questions about a target, by the word of its kind.
  package static let all: KeyValuePairs<String, [SetupQuestion]> = [
    "webdav": web, "put": web, "s3": bucket, "tus": web, "processing": endpoint, "sftp": server,
    "directory": [SetupQuestion(key: "path", text: "Absolute path of the directory")],
  ]

  private static let url = SetupQuestion(key: "url", text: "Address, https://…")
  private static let web = [
    url,
    SetupQuestion(key: "user", text: "User, empty for none", isOptional: true),
    SetupQuestion(key: "password", text: "Password", isSecret: true, needs: "user"),
  ]
  private static let endpoint = [
    url,
    SetupQuestion(
      key: "token", text: "Bearer token, empty for none", isSecret: true, isOptional: true),
  ]
  private static let bucket = [
    url,
    SetupQuestion(key: "bucket", text: "Name of the bucket"),
    SetupQuestion(key: "access_key_id", text: "ID of the access key"),
    SetupQuestion(key: "secret_key", text: "Secret key", isSecret: true),
  ]
  private static let server = [
    SetupQuestion(key: "url", text: "Address, sftp://HOST/DIRECTORY"),
    SetupQuestion(key: "user", text: "User"),
    SetupQuestion(key: "password", text: "Password", isSecret: true),
    SetupQuestion(key: "host_key", text: "Fingerprint of the host key, SHA256:…"),
  ]
}

/// A technician's answers, from which a setup file is made.
package struct SetupAnswers: Sendable, Hashable {
  /// A target with the values of its keys.
  package struct Target: Sendable, Hashable {
    /// The target's name.
    package var name: String
    /// The kind in the word of the configuration.
    package var kind: String
    /// The values by their keys, secrets among them.
    package var values: [String: String] = [:]

    /// Makes a target without values.
    package init(name: String, kind: String) { (self.name, self.kind) = (name, kind) }
  }

  /// The rig's name.
  package var rig: String
  /// The ID of the only camera; `nil` leaves the choice as it is.
  package var camera: String?
  /// The target; `nil` adds none.
  package var target: Target?
  /// The time zone; `nil` leaves the zone as it is.
  package var timeZone: String?

  /// Makes answers with a rig's name alone.
  package init(rig: String) { self.rig = rig }

  /// The answers in the form of a setup file, with the secrets in it.
  package var document: String {
    typealias Entry = SettingsNode.Entry
    func text(_ text: String) -> SettingsNode { SettingsNode(.scalar(text, isPlain: false)) }
    func section(_ entries: [Entry]) -> SettingsNode { SettingsNode(.section(entries)) }
    var entries = [Entry("rig", section([Entry("id", text(rig))]))]
    if let camera {
      // A choice by position would contradict the ID; a key without a value removes it.
      let nothing = SettingsNode(.scalar("", isPlain: true))
      entries.append(
        Entry("camera", section([Entry("id", text(camera)), Entry("position", nothing)])))
    }
    if let target {
      let values = target.values.sorted { $0.key < $1.key }.map { Entry($0.key, text($0.value)) }
      let keys = section([Entry("kind", text(target.kind))] + values)
      entries.append(Entry("targets", section([Entry(target.name, keys)])))
    }
    if let timeZone { entries.append(Entry("time_zone", text(timeZone))) }
    return entries.map(\.yaml).joined()
  }
}
