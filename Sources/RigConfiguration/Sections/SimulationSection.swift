package import Devices
package import Settings
package import SimulatedDevices

/// The section `simulation`: the scene before the simulated cameras, and their noise.
package struct SimulationSection: SettingsPart, Hashable {
  /// The seed of the noise.
  package var seed: UInt64 = 1
  /// The things before a sensor with noise; `nil` for the plain page, which costs less.
  package var scene: LinearScene.Subject?
  /// The diopters by which the scene's right half is nearer than the left one.
  package var depth = 0.0
  /// The gain that the scene's light needs; more gain is more noise.
  package var gain = 1.5
  /// The colors of the sensor's mosaic.
  package var mosaic = RawFormat.Mosaic.rggb

  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<SimulationSection>] = [
    Setting(
      \.seed, "seed", seedForm, only: "with board: simulated", "the seed of the noise"),
    Setting(
      \.scene, "scene", .word, default: "the plain page without noise",
      "the things before a sensor with noise: a page, a page beside things of high contrast, or a "
        + "chart of colors"),
    Setting(
      \.depth, "depth", .number(0...20, unit: "diopters"), only: "with scene",
      "the distance by which the right half is nearer, as in a thick open book"),
    Setting(
      \.gain, "gain", .number(1...16), only: "with scene",
      "the gain that the light needs; more gain is more noise"),
    Setting(
      \.mosaic, "mosaic", .words(["rggb": .rggb, "bggr": .bggr, "grbg": .grbg, "gbrg": .gbrg]),
      "the order of the colors in raw frames"),
  ]

  private static let seedForm = SettingForm<Int>.integer(from: 0).map(
    { UInt64($0) }, text: { "\($0)" })

  /// Refuses keys that need a scene.
  package mutating func agree(in section: SettingsSection) {
    for key in ["depth", "gain"] where scene == nil && section.has(key) {
      section.note("needs \"scene\"", at: key)
    }
  }
}
