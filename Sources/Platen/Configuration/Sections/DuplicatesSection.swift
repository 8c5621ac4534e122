/// The section `duplicates`: the marking of near duplicates of earlier pictures.
///
/// Near duplicates are stored and delivered like all other pictures.
///
/// | key | value | default |
/// |---|---|---|
/// | `near_threshold` | bits of 64 in which two pictures that look alike may differ, 0 to 32 | 6 |
/// | `near_window` | the number of earlier pictures to compare, 0 to 1000; 0 turns the search off | 32 |
package struct DuplicatesSection: Sendable, Hashable {
  /// The number of bits in which two similar pictures may differ.
  package var nearThreshold = 6
  /// The number of earlier pictures to compare.
  package var nearWindow = 32

  /// Makes the defaults.
  package init() {}

  init(_ section: ConfigurationMapping) {
    nearThreshold = section.integer("near_threshold", in: 0...32) ?? nearThreshold
    nearWindow = section.integer("near_window", in: 0...1000) ?? nearWindow
    section.refuseUnknownKeys()
  }
}
