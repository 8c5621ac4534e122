/// A node of a configuration text, with its place.
///
/// Nodes are equal when their contents are, wherever they are.
package struct SettingsNode: Sendable, Equatable {
  /// The contents of a node.
  package indirect enum Content: Sendable, Equatable {
    /// A value; `true` and `false` are booleans only without quotes, which is when `isPlain` holds.
    case scalar(String, isPlain: Bool)
    /// A list.
    case list([SettingsNode])
    /// A section, in the order of the text.
    case section([Entry])
  }

  /// A key of a section and its value.
  package struct Entry: Sendable, Equatable {
    /// The key; its content is a scalar in every usable text.
    package let key: SettingsNode
    /// The value.
    package let value: SettingsNode

    package init(key: SettingsNode, value: SettingsNode) {
      self.key = key
      self.value = value
    }
  }

  /// The place of a node in its text.
  package struct Place: Sendable, Hashable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The contents.
  package let content: Content
  /// The place; `nil` for an unknown one.
  package let place: Place?

  package init(_ content: Content, at place: Place? = nil) {
    self.content = content
    self.place = place
  }

  package static func == (first: SettingsNode, second: SettingsNode) -> Bool {
    first.content == second.content
  }

  /// The text of a value; `nil` for a list or a section.
  package var scalar: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }
}
