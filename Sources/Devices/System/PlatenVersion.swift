/// The version of this software in logs, API and EXIF, and between its programs.
package enum PlatenVersion {
  /// The version, in the format of semver.org.
  package static let current = "0.1.0"
}
