/// A light and what it was told to show, as a row of the table that `platenctl lights` prints.
public struct LightReport: Sendable, Hashable, Codable {
  /// What the light is for: `ready`, `fault`, `upload`, `power`, or `single` for the only one.
  public let role: String
  /// The light's device, for example `rig:green:ready`.
  public let name: String
  /// The name of the pattern: a reason code such as `cameraUnplugged`, or a word such as `ready` for
  /// what is not wrong; `nil` before the light was told anything.
  public let state: String?
  /// What is to be seen, in words, for example `1-2 flashes`.
  public let shown: String?
  /// What it means.
  public let meaning: String?
  /// The digits to count, for example `1-2`; `nil` where there is nothing to count.
  public let code: String?
  /// Whether the light could not be set, so that it may show something else.
  public let isFailing: Bool

  /// Makes a report.
  public init(
    role: String, name: String, state: String? = nil, shown: String? = nil,
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

/// A row of the table of the lights: one line of `platenctl lights --json`.
public struct LightTableRow: Sendable, Hashable, Codable {
  /// A step of a pattern.
  public struct Step: Sendable, Hashable, Codable {
    /// Brightness from 0 (dark) to 1 (full).
    public let level: Double
    /// How long the step lasts; `nil` for a steady light.
    public let milliseconds: Double?

    /// Makes a step.
    public init(level: Double, milliseconds: Double?) {
      self.level = level
      self.milliseconds = milliseconds
    }
  }

  /// Which light; `nil` for all of them together.
  public let light: String?
  /// The light's colour.
  public let color: String
  /// The state's name: a reason code, or a word for what is not wrong.
  public let state: String
  /// What is to be seen, in words.
  public let shown: String
  /// What it means, and what to do about it.
  public let meaning: String
  /// The digits to count; `nil` where there is nothing to count.
  public let code: String?
  /// The pattern, again and again.
  public let pattern: [Step]

  /// Makes a row.
  public init(
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
