import Settings

/// The configuration over which a setup file is laid.
struct SetupBase {
  /// A configuration for a machine without a board file.
  static let minimal: SetupBase = {
    func word(_ text: String) -> SettingsNode { SettingsNode(.scalar(text, isPlain: true)) }
    let spool = SettingsNode(.section([.init("directory", word("/var/lib/platen"))]))
    let entries = [
      SettingsNode.Entry("board", word("linux")), SettingsNode.Entry("spool", spool),
    ]
    return SetupBase(
      text: entries.map(\.yaml).joined(), root: SettingsNode(.section(entries)))
  }()

  /// The configuration's text.
  let text: String
  private let root: SettingsNode

  private init(text: String, root: SettingsNode) { (self.text, self.root) = (text, root) }

  /// Takes a configuration's text; `nil` when it is no YAML with keys.
  init?(_ text: String) {
    guard let root = try? ConfigurationYAML.compose(text), case .section = root.content else {
      return nil
    }
    self.init(text: text, root: root)
  }

  /// Returns the configuration with another one's section in place of its own.
  ///
  /// Without the section in the other one, the result has none either. The sections keep their text
  /// where their layout permits it; otherwise only the meaning stays.
  ///
  /// - Returns: the configuration; `nil` when YAML cannot say it.
  func taking(_ section: String, of other: SetupBase) -> SetupBase? {
    guard case .section(let entries) = root.content, case .section(let others) = other.root.content
    else { return nil }
    let own = entries.filter { $0.key.scalar != section }
    let taken = others.filter { $0.key.scalar == section }
    let (heading, kept) = pieces
    let theirs = other.pieces.kept
    let text =
      own.map { kept[$0.key.scalar ?? ""] ?? $0.yaml } + taken.map { theirs[section] ?? $0.yaml }
    let entriesAlone = (own + taken).map(\.yaml)
    let wanted = SettingsNode(.section(own + taken))
    return [heading + text.joined(), entriesAlone.joined()].first {
      (try? ConfigurationYAML.compose($0)) == wanted
    }.flatMap { SetupBase($0) }
  }

  /// Returns the configuration with a setup file's entries in place of its own.
  ///
  /// Only the nodes of the setup file have places, so that issues show a place in that file.
  func merged(with document: SettingsNode) -> SettingsNode {
    root.withoutPlaces.merging(document)
  }

  /// Returns the text of a merged configuration; `nil` when YAML cannot say it.
  ///
  /// The sections that the setup file does not name keep their text with its comments.
  func text(of merged: SettingsNode, changed: Set<String>) -> String? {
    guard case .section(let entries) = merged.content else { return nil }
    let (heading, kept) = pieces
    let mixed = entries.map { entry in
      let name = entry.key.scalar ?? ""
      return (changed.contains(name) ? nil : kept[name]) ?? entry.yaml
    }
    return [heading + mixed.joined(), entries.map(\.yaml).joined()].first {
      (try? ConfigurationYAML.compose($0)) == merged
    }
  }

  /// The text before the first section, and the text of each section up to the next one.
  ///
  /// Without a line of its own, a section has no text.
  private var pieces: (heading: String, kept: [String: String]) {
    let layout = YAMLLayout(text)
    guard case .section(let entries) = root.content,
      entries.allSatisfy({ $0.key.place?.column == 1 })
    else { return ("", [:]) }
    let starts = entries.compactMap { layout.offset($0.key.place) }
    let scalars = Array(text.unicodeScalars)
    guard starts.count == entries.count, let first = starts.first else { return ("", [:]) }
    func piece(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return view.last == "\n" || view.isEmpty ? String(view) : String(view) + "\n"
    }
    var kept: [String: String] = [:]
    for (index, entry) in entries.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : scalars.count
      kept[entry.key.scalar ?? ""] = piece(starts[index]..<end)
    }
    return (piece(0..<first), kept)
  }
}

extension SettingsNode {
  /// The same node without places in a text.
  var withoutPlaces: SettingsNode {
    switch content {
    case .scalar: SettingsNode(content)
    case .list(let elements): SettingsNode(.list(elements.map(\.withoutPlaces)))
    case .section(let entries):
      SettingsNode(
        .section(
          entries.map { Entry(key: $0.key.withoutPlaces, value: $0.value.withoutPlaces) }))
    }
  }

  /// Returns a section with the entries of another one in place of its own.
  ///
  /// Sections are merged. A target is taken as a whole, because its keys depend on its kind. A key
  /// without a value removes the entry.
  func merging(_ other: SettingsNode, below path: [String] = []) -> SettingsNode {
    guard case .section(var entries) = content, case .section(let others) = other.content,
      !(path.count == 2 && path.first == "targets")
    else { return other }
    for entry in others {
      let name = entry.key.scalar ?? ""
      let index = entries.firstIndex { $0.key.scalar == name }
      if entry.value.content == .scalar("", isPlain: true) {
        if let index { entries.remove(at: index) }
        continue
      }
      let own = index.map { entries[$0].value } ?? SettingsNode(.section([]))
      let merged = Entry(
        key: entry.key, value: own.merging(entry.value, below: path + [name]))
      if let index { entries[index] = merged } else { entries.append(merged) }
    }
    return SettingsNode(.section(entries), at: other.place)
  }
}
