package import Settings

/// The settings of a ``DirectoryTarget``.
package struct DirectoryConfiguration: Sendable, Hashable {
  /// The directory's absolute path: a mounted drive, or a directory on one.
  package var directory: String
  /// The name in the directory's marker: 1 to 64 of `A-Z a-z 0-9 _ -`.
  ///
  /// The marker distinguishes the drive from the empty mount point and from other drives.
  package var name: String
  /// The bytes that deliveries leave free, 0 or more.
  package var reserveBytes: Int64 = 64 << 20
}

extension DirectoryConfiguration: TargetKind {
  /// Makes the defaults, without the path and the name.
  package init() { self.init(directory: "", name: "") }

  /// The settings of `kind: directory`.
  package static let settings: [Setting<DirectoryConfiguration>] = [
    Setting(
      \.directory, "path", .path, required: "an absolute path",
      "the directory, which must hold the file .platen-target"),
    Setting(
      \.reserveBytes, "minimum_free", .bytes(from: 0), "space that deliveries leave free there"),
  ]

  /// Refuses a bandwidth, which nothing keeps to.
  package func agree(in section: SettingsSection) {
    if section.has("bandwidth") {
      section.note("has no effect with \"kind: directory\"", at: "bandwidth")
    }
  }

  /// The directory.
  package var place: TargetPlace { .directory(directory) }

  /// Makes the target, with its own name in the marker; nothing is opened yet.
  package func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget {
    var configuration = self
    configuration.name = name
    return try DirectoryTarget(configuration)
  }
}
