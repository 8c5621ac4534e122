/// Who the rig is: the section `rig`.
///
/// | key | value | default |
/// |---|---|---|
/// | `id` | 1...64 letters, digits, `_` and `-`: the rig's name in the fleet | required |
/// | `make` | 1...64 ASCII characters: who made it, as written into pictures | `Platen` |
/// | `model` | 1...64 ASCII characters: its model, as written into pictures | `Scanning rig` |
public struct RigConfiguration: Sendable, Hashable {
  /// The rig's name in the fleet.
  public var id: String
  /// Who made the rig.
  public var make: String
  /// The rig's model.
  public var model: String

  init?(reading mapping: ConfigurationMapping) {
    let id = mapping.require("id", as: .identifier("an ID"))
    make = mapping.read("make", as: .asciiText("text"), default: "Platen")
    model = mapping.read("model", as: .asciiText("text"), default: "Scanning rig")
    guard let id else { return nil }
    self.id = id
  }
}
