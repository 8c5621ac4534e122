package import Imaging
package import Settings

/// The section `duplicates`: the marking of near duplicates of earlier pictures.
///
/// Near duplicates are stored and delivered like all other pictures.
extension NearDuplicates.Configuration: SettingsPart {
  /// The keys of the section.
  package static let settings: [Setting<NearDuplicates.Configuration>] = [
    Setting(
      \.threshold, "near_threshold", .integer(0...32, unit: "bits"),
      "the number of bits of 64 in which the hashes of two pictures that look alike may differ"),
    Setting(
      \.window, "near_window", .integer(0...1000, unit: "pictures"),
      "the number of earlier pictures to compare; 0 turns the search off"),
  ]
}
