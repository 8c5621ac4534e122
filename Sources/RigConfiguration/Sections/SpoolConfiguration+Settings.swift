package import Settings
package import Spool

/// The section `spool`: the durable queue on the disk.
///
/// The key `ledger.presses` fills the same configuration.
extension SpoolConfiguration: SettingsPart {
  /// Makes a configuration without a directory, which every file has to name, and without a rig.
  package init() { self.init(directory: "", rigID: "") }

  /// The keys of the section.
  package static let settings: [Setting<SpoolConfiguration>] = [
    Setting<SpoolConfiguration>(
      \.directory, "directory", .path, required: "an absolute path",
      "the directory of the spool; made if its parent exists"
    ).reserved,
    Setting(
      \.minimumFreeBytes, "minimum_free", .bytes(from: 0),
      "the space that captures leave free on the file system"),
    Setting(
      \.maximumBytes, "maximum_bytes", .bytes(from: 67_108_864), default: "no limit",
      "the maximum size of all waiting and quarantined pictures"),
    Setting(
      \.maximumItems, "maximum_items", .integer(1...100_000_000), default: "no limit",
      "the maximum number of waiting and quarantined pictures"),
    Setting(
      \.whenFull, "when_full", .word,
      "the choice when full: refuse new pictures or remove the oldest undelivered ones"),
    Setting(
      \.historyItems, "history_items", .integer(0...10_000_000),
      "the number of delivered pictures that are remembered"),
  ]
}
