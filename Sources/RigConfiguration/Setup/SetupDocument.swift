import Settings

/// A setup file that has been checked as a whole: the rig's settings, its secrets and time zone.
///
/// The keys are those of the configuration, and the configuration's own reader checks them. The
/// file may also have the key `time_zone`, and secrets in its own text (``SetupSecret``).
struct SetupDocument {
  /// The key of the time zone, the only one that the configuration does not have.
  static let timeZoneKey = "time_zone"

  /// The text as written.
  let text: String
  /// The secrets, in the order of the text.
  let secrets: [SetupSecret]
  /// The machine's time zone, for example `Europe/Paris`; `nil` leaves it as it is.
  let timeZone: String?
  private let root: SettingsNode
  private let base: SetupBase

  /// Reads a text and checks it together with the configuration below it.
  ///
  /// - Parameters:
  ///   - file: the file's name for the messages.
  ///   - base: the configuration over which the file is laid.
  ///   - isZone: returns whether the machine knows a time zone.
  /// - Throws: ``ConfigurationErrors`` with all errors of the text.
  init(
    _ text: String, file: String, over base: SetupBase, isZone: @escaping @Sendable (String) -> Bool
  ) throws(ConfigurationErrors) {
    let found = SettingsIssues(file: file)
    guard let node = ConfigurationReader.node(of: text, found),
      let own = found.section(of: node, key: "")
    else {
      throw ConfigurationErrors(issues: found.issues)
    }
    found.isConfiguration = own.keys.contains("rig")
    let secrets = node.secrets()
    for secret in secrets { Self.check(secret, in: node, found) }
    let merged = base.merged(with: node.naming { "credential:\($0.name)" })
    let section = found.section(of: merged, key: "")
    timeZone = section?.value(Self.timeZoneKey, Self.zone(isZone))
    _ = try PlatenConfiguration.read(section, found)
    (self.text, self.secrets, self.base, root) = (text, secrets, base, node)
  }

  private static func zone(
    _ isZone: @escaping @Sendable (String) -> Bool
  ) -> SettingForm<String> {
    SettingForm(
      "text", range: nil,
      expected: "a time zone such as Europe/Paris, which \"timedatectl list-timezones\" lists",
      text: { $0 }, parse: { isZone($0) ? $0 : nil })
  }

  private static func check(
    _ secret: SetupSecret, in root: SettingsNode, _ found: SettingsIssues
  ) {
    let key = (secret.path.dropLast() + [secret.entry.key.scalar ?? ""]).joined(separator: ".")
    if let problem = secret.problem {
      found.note(problem, at: secret.entry.value.place, key: key, isOwnWords: true)
    }
    if root.has(secret.path[...]) {
      found.note(
        "goes without \"\(secret.fileKey)\"", at: secret.entry.key.place, key: key,
        isOwnWords: true)
    }
  }

  /// Returns the text of the whole configuration; `nil` when YAML cannot say it.
  ///
  /// - Parameter place: returns the place of a secret, a path or `credential:NAME`.
  func configurationText(_ place: (SetupSecret) -> String) -> String? {
    let own = root.naming(place).removing(Self.timeZoneKey)
    guard case .section(let entries) = own.content else { return nil }
    return base.text(
      of: base.merged(with: own), changed: Set(entries.compactMap(\.key.scalar)))
  }

  /// Returns the text that names the secrets' places instead of the secrets.
  ///
  /// All else stays as written where that is possible; otherwise only the meaning stays.
  func textWithoutSecrets(_ place: (SetupSecret) -> String) -> String {
    guard !secrets.isEmpty else { return text }
    let wanted = root.naming(place)
    let layout = YAMLLayout(text)
    let starts = root.offsets(in: layout)
    let edits = secrets.compactMap { Self.edit($0, place($0), layout, starts) }
    let edited = edits.sorted { $0.range.lowerBound > $1.range.lowerBound }
      .reduce(text) { YAMLLayout($0).replacing($1) }
    var result = edited
    if (try? ConfigurationYAML.compose(edited)) != wanted,
      case .section(let entries) = wanted.content
    {
      result = entries.map(\.yaml).joined()
    }
    let ending = text.unicodeScalars.contains("\r") ? "\r\n" : "\n"
    return result.hasPrefix(Self.heading) ? result : Self.heading + ending + result
  }

  private static let heading =
    "# The rig has moved the secrets of this file to its own store. To replace one, write for "
    + "example \"password:\" with the new secret in place of \"password_file:\"."

  /// Returns the edit that puts a secret's place into the text; `nil` where the layout hides it.
  private static func edit(
    _ secret: SetupSecret, _ place: String, _ layout: YAMLLayout, _ starts: [Int]
  ) -> YAMLLayout.Edit? {
    guard let start = layout.offset(secret.entry.key.place),
      let value = layout.offset(secret.entry.value.place)
    else { return nil }
    var text = "\(secret.fileKey): \"\(place)\""
    var end = layout.endOfDelimited(at: value)
    if end == nil, layout.has(secret.value, at: value) {
      end = value + secret.value.unicodeScalars.count
    }
    if end == nil {
      // A text of several lines goes up to the line of the next key.
      end = layout.startOfLine(before: starts.first { $0 > value })
      text += "\n"
    }
    guard let last = end, last > value else { return nil }
    return YAMLLayout.Edit(range: start..<last, text: text)
  }
}

extension SettingsNode {
  /// Returns whether a section has a key at a path.
  fileprivate func has(_ path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return true }
    guard case .section(let entries) = content,
      let entry = entries.first(where: { $0.key.scalar == name })
    else { return false }
    return entry.value.has(path.dropFirst())
  }

  /// Returns a section without a key.
  fileprivate func removing(_ key: String) -> SettingsNode {
    guard case .section(let entries) = content else { return self }
    return SettingsNode(.section(entries.filter { $0.key.scalar != key }), at: place)
  }

  /// Returns the offsets at which the node and all nodes below it begin, in ascending order.
  fileprivate func offsets(in layout: YAMLLayout) -> [Int] {
    func all(_ node: SettingsNode) -> [Int] {
      let own = layout.offset(node.place).map { [$0] } ?? []
      switch node.content {
      case .scalar: return own
      case .list(let elements): return own + elements.flatMap { all($0) }
      case .section(let entries): return own + entries.flatMap { all($0.key) + all($0.value) }
      }
    }
    return all(self).sorted()
  }
}
