/// How the simulated world behaves: the section `simulation`, only on the board `simulated`.
///
/// | key | value | default |
/// |---|---|---|
/// | `seed` | 0...18446744073709551615: same seed, same pictures | `1` |
/// | `bounce` | whether the button bounces | `true` |
/// | `page` | 1...9999: the page that lies on the platen at the start | `1` |
/// | `frame_latency` | 0...10 frames from the exposure to the frame's arrival | `3` |
public struct SimulationConfiguration: Sendable, Hashable {
  /// What the world's randomness grows from.
  public var seed: UInt64
  /// Whether the button bounces.
  public var bounces: Bool
  /// The page that lies on the platen at the start.
  public var page: Int
  /// Frames from the exposure to the frame's arrival.
  public var frameLatency: Int

  init(reading mapping: ConfigurationMapping) {
    seed = mapping.read("seed", as: .integer(0...UInt64.max), default: 1)
    bounces = mapping.read("bounce", as: .flag, default: true)
    page = mapping.read("page", as: .integer(1...9999), default: 1)
    frameLatency = mapping.read("frame_latency", as: .integer(0...10), default: 3)
  }
}
