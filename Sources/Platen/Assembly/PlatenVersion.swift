/// The version of this software, as logs, API and EXIF name it.
public enum PlatenVersion {
  /// The version, as in semver.org.
  public static let current = "0.1.0"
}
