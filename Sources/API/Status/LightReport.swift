package import Devices

/// A light and its pattern, as a row of the table that `platenctl lights` prints.
package struct LightReport: Sendable, Hashable, Codable {
  /// The light's role.
  package let role: Word<IndicatorRole>
  /// The light's device, for example `rig:green:ready`.
  package let name: String
  /// The name of the pattern; `nil` before the light was told anything.
  ///
  /// The name is a reason code such as `cameraUnplugged`, or a word such as `ready` when nothing is
  /// wrong.
  package let state: String?
  /// The visible pattern in words, for example `1-2 flashes`.
  package let shown: String?
  /// The meaning of the pattern.
  package let meaning: String?
  /// The digits to count, for example `1-2`; `nil` where there is nothing to count.
  package let code: String?
  /// Whether the light could not be set, so that it may show something else.
  package let isFailing: Bool

  package init(
    role: Word<IndicatorRole>, name: String, state: String? = nil, shown: String? = nil,
    meaning: String? = nil, code: String? = nil, isFailing: Bool = false
  ) {
    self.role = role
    self.name = name
    self.state = state
    self.shown = shown
    self.meaning = meaning
    self.code = code
    self.isFailing = isFailing
  }
}

/// A row of the table of the lights: a line of `platenctl lights --json`.
package struct LightTableRow: Sendable, Hashable, Codable {
  /// A step of a pattern.
  package struct Step: Sendable, Hashable, Codable {
    /// The brightness from 0 (dark) to 1 (full).
    package let level: Double
    /// The duration of the step; `nil` for a steady light.
    package let milliseconds: Double?

    package init(level: Double, milliseconds: Double?) {
      self.level = level
      self.milliseconds = milliseconds
    }
  }

  /// The light; `nil` for all lights together.
  package let light: String?
  /// The light's color.
  package let color: String
  /// The state's name: a reason code, or a word when nothing is wrong.
  package let state: String
  /// The visible pattern in words.
  package let shown: String
  /// The meaning of the state, and its remedy.
  package let meaning: String
  /// The digits to count; `nil` where there is nothing to count.
  package let code: String?
  /// The steps of the pattern, which repeat.
  package let pattern: [Step]

  package init(
    light: String?, color: String, state: String, shown: String, meaning: String, code: String?,
    pattern: [Step]
  ) {
    self.light = light
    self.color = color
    self.state = state
    self.shown = shown
    self.meaning = meaning
    self.code = code
    self.pattern = pattern
  }
}
