import CYaml
import Settings

/// A reason why a text is not used as YAML.
struct YAMLRefusal: Error, Hashable {
  /// The place of the problem.
  let place: SettingsNode.Place
  /// The duplicate key; empty for any other problem.
  var key = ""
  /// The problem.
  let problem: String
  /// Whether a duplicate key, an anchor or too deep a nesting is refused in a text that is YAML.
  var isYAML = false
}

/// All reasons why a text is not used as YAML.
struct YAMLRefusals: Error, Hashable {
  /// The reasons in the order of their places; at least one.
  let all: [YAMLRefusal]
}

/// The composer of the YAML of a configuration, or of a value for one, from libyaml's events.
///
/// Anchors and aliases are refused, because an alias stands for its anchor's whole contents,
/// including further aliases: some hundred characters can describe more than any memory holds.
/// Lists and sections that are nested too deeply are refused, because a composer that calls itself
/// for each level needs a stack for them. For any text, the call takes time and memory in
/// proportion to the text's length.
struct ConfigurationYAML {
  /// The maximum nesting of lists and sections; a configuration has five levels.
  static let maximumDepth = 32

  /// Returns the node that a text describes; `nil` for a text without one.
  ///
  /// Every word is a text, which is what the settings' forms expect.
  ///
  /// - Throws: the reasons why the text is refused.
  static func compose(_ text: String) throws(YAMLRefusals) -> SettingsNode? {
    let bytes = Array(text.utf8)
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      throw YAMLRefusals(all: [
        YAMLRefusal(place: .init(line: 1, column: 1), problem: "there is no memory to read it")
      ])
    }
    defer { yaml_parser_delete(parser) }
    // The parser keeps the pointer until it is deleted, so all reading is within the closure.
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<SettingsNode?, YAMLRefusals> in
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      var composer = ConfigurationYAML(parser: parser, text: buffer)
      do throws(YAMLRefusal) {
        let root = try composer.document()
        let duplicates = composer.duplicates
        return duplicates.isEmpty ? .success(root) : .failure(YAMLRefusals(all: duplicates))
      } catch {
        return .failure(YAMLRefusals(all: [error]))
      }
    }
    return try result.get()
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeBufferPointer<UInt8>
  private var duplicates: [YAMLRefusal] = []

  private init(parser: UnsafeMutablePointer<yaml_parser_t>, text: UnsafeBufferPointer<UInt8>) {
    self.parser = parser
    self.text = text
  }

  /// Returns the node of the only document; `nil` for none.
  private mutating func document() throws(YAMLRefusal) -> SettingsNode? {
    var root: SettingsNode?
    while true {
      let event = try next()
      switch event.kind {
      case .other: continue
      case .end: return root
      default:
        guard root == nil else {
          throw YAMLRefusal(place: event.place, problem: "expected a single document")
        }
        root = try node(at: event, depth: 0)
      }
    }
  }

  private mutating func node(at event: Event, depth: Int) throws(YAMLRefusal) -> SettingsNode {
    switch event.kind {
    case .scalar(let text, let isPlain):
      return SettingsNode(.scalar(text, isPlain: isPlain), at: event.place)
    case .listStart:
      try enter(event, depth + 1)
      var elements: [SettingsNode] = []
      while true {
        let element = try next()
        if element.kind == .close { return SettingsNode(.list(elements), at: event.place) }
        elements.append(try node(at: element, depth: depth + 1))
      }
    case .sectionStart:
      try enter(event, depth + 1)
      return try section(at: event, depth: depth + 1)
    case .close, .end, .other:
      throw YAMLRefusal(place: event.place, problem: "a value is missing")
    }
  }

  private mutating func section(at event: Event, depth: Int) throws(YAMLRefusal) -> SettingsNode {
    var entries: [SettingsNode.Entry] = []
    var names: Set<String> = []
    while true {
      let start = try next()
      if start.kind == .close { return SettingsNode(.section(entries), at: event.place) }
      let key = try node(at: start, depth: depth)
      entries.append(.init(key: key, value: try node(at: next(), depth: depth)))
      if let name = key.scalar, !names.insert(name).inserted {
        duplicates.append(
          YAMLRefusal(place: start.place, key: name, problem: "is there twice", isYAML: true))
      }
    }
  }

  private func enter(_ event: Event, _ depth: Int) throws(YAMLRefusal) {
    if depth > Self.maximumDepth { throw Self.depthRefusal(at: event.place) }
  }

  private static func depthRefusal(at place: SettingsNode.Place) -> YAMLRefusal {
    YAMLRefusal(
      place: place, problem: "more than \(maximumDepth) lists and sections are in one another",
      isYAML: true)
  }
}

/// The events of libyaml.
extension ConfigurationYAML {
  private struct Event {
    enum Kind: Equatable {
      case scalar(String, isPlain: Bool)
      case listStart, sectionStart
      /// The end of a list or a section.
      case close
      /// The end of the text.
      case end
      /// The beginning of the text, or the beginning or the end of a document.
      case other
    }

    var kind: Kind
    var place: SettingsNode.Place
  }

  private func next() throws(YAMLRefusal) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    let place = Self.place(event.start_mark)
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      try refuse(anchor: scalar.anchor, at: place)
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return Event(
        kind: .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), place: place)
    case YAML_SEQUENCE_START_EVENT:
      try refuse(anchor: event.data.sequence_start.anchor, at: place)
      return Event(kind: .listStart, place: place)
    case YAML_MAPPING_START_EVENT:
      try refuse(anchor: event.data.mapping_start.anchor, at: place)
      return Event(kind: .sectionStart, place: place)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(kind: .close, place: place)
    case YAML_ALIAS_EVENT: throw Self.anchorRefusal(at: place)
    case YAML_STREAM_END_EVENT: return Event(kind: .end, place: place)
    default: return Event(kind: .other, place: place)
    }
  }

  private func refuse(
    anchor: UnsafeMutablePointer<yaml_char_t>?, at place: SettingsNode.Place
  ) throws(YAMLRefusal) {
    if anchor != nil { throw Self.anchorRefusal(at: place) }
  }

  private static func anchorRefusal(at place: SettingsNode.Place) -> YAMLRefusal {
    YAMLRefusal(
      place: place,
      problem: "anchors and aliases are not used in this configuration; a text that begins "
        + "with & or * needs quotes", isYAML: true)
  }

  /// Returns the parser's error.
  private func failure() -> YAMLRefusal {
    let context = parser.pointee.context.map { String(cString: $0) } ?? ""
    if ["while scanning an anchor", "while scanning an alias"].contains(context) {
      return Self.anchorRefusal(at: Self.place(parser.pointee.context_mark))
    }
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
    // The parser counts flow levels that it reads ahead, and stops at a thousand.
    if problem.hasPrefix("Maximum nesting level") {
      return Self.depthRefusal(at: Self.place(parser.pointee.problem_mark))
    }
    guard parser.pointee.error == YAML_READER_ERROR else {
      return YAMLRefusal(place: Self.place(parser.pointee.problem_mark), problem: problem)
    }
    // The reader knows the offset only.
    let before = String(decoding: text.prefix(parser.pointee.problem_offset), as: UTF8.self)
    let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return YAMLRefusal(
      place: .init(line: lines.count, column: (lines.last?.count ?? 0) + 1), problem: problem)
  }

  private static func place(_ mark: yaml_mark_t) -> SettingsNode.Place {
    SettingsNode.Place(line: mark.line + 1, column: mark.column + 1)
  }
}
