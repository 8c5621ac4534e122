/// A GPIO line by its name or by its place.
public enum GPIOLineConfiguration: Sendable, Hashable {
  /// The line with this name on any chip.
  case name(String)
  /// The line at an offset, 0 or more, of the chip with this label or name.
  case offset(chip: String, offset: UInt32)

  /// Reads `line`, or `chip` and `offset`.
  ///
  /// - Returns: `nil` when none is there, or something is wrong with them.
  init?(reading mapping: ConfigurationMapping) {
    let line = mapping.read("line", as: .text("a line's name"))
    let chip = mapping.read("chip", as: .text("a chip's label"))
    let offset = mapping.read("offset", as: .integer(0...UInt32(65535)))
    if mapping.contains("line") {
      for key in ["chip", "offset"] where mapping.contains(key) {
        mapping.report(key, "expected either \"line\" or \"chip\" and \"offset\", found both")
      }
    } else if mapping.contains("chip") != mapping.contains("offset") {
      let (present, missing) =
        mapping.contains("chip") ? ("chip", "offset") : ("offset", "chip")
      mapping.report(present, "expected \"\(missing)\" beside it, found it alone")
    }
    if let line {
      self = .name(line)
    } else if let chip, let offset {
      self = .offset(chip: chip, offset: offset)
    } else {
      return nil
    }
  }

  /// Whether a mapping says anything of a line.
  static func isPresent(in mapping: ConfigurationMapping) -> Bool {
    ["line", "chip", "offset"].contains { mapping.contains($0) }
  }
}
