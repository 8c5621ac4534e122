/// The section `duplicates`: which pictures are marked as near duplicates of an earlier one.
///
/// They are stored and delivered like all others.
///
/// | key | value | default |
/// |---|---|---|
/// | `near_threshold` | bits of 64 in which two pictures that look alike may differ, 0 to 32 | 6 |
/// | `near_window` | how many pictures to look back, 0 to 1000; 0 turns the search off | 32 |
public struct DuplicatesSection: Sendable, Hashable {
  /// Bits in which two pictures that look alike may differ.
  public var nearThreshold = 6
  /// How many pictures to look back.
  public var nearWindow = 32

  /// The defaults.
  public init() {}

  init(_ section: ConfigurationMapping) {
    nearThreshold = section.integer("near_threshold", in: 0...32) ?? nearThreshold
    nearWindow = section.integer("near_window", in: 0...1000) ?? nearWindow
    section.refuseUnknownKeys()
  }
}
