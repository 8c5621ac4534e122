/// What a caller of the API may do; each path with its method asks for one of these.
public enum Permission: String, Sendable, Hashable, Codable, CaseIterable {
  /// Looking: nothing on the rig changes by it.
  case read
  /// Changing something on the rig, the shutter's press included; entered into the audit log.
  case act
}
