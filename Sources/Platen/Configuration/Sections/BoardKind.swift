/// Which devices the rig is made of: the key `board`.
public enum BoardKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Devices that exist only in the program.
  case simulated
  /// The devices of a Linux kernel.
  case linux
}
