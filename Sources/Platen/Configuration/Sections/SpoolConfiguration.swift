/// Where pictures wait for upload: the section `spool`.
///
/// | key | value | default |
/// |---|---|---|
/// | `directory` | an absolute path | required |
/// | `minimum_free` | bytes of the file system to leave free; below, presses are refused | `256 MiB` |
/// | `maximum_bytes` | bytes that the spool may fill, 1 MiB or more | no limit |
public struct SpoolConfiguration: Sendable, Hashable {
  /// The spool's directory, an absolute path.
  public var directory: String
  /// The bytes of the file system to leave free.
  public var minimumFree: UInt64
  /// The bytes that the spool may fill; `nil` without limit.
  public var maximumBytes: UInt64?

  init?(reading mapping: ConfigurationMapping) {
    let directory = mapping.require("directory", as: .absolutePath("an absolute path"))
    minimumFree = mapping.read("minimum_free", as: .byteCount, default: 256 << 20)
    maximumBytes = mapping.read(
      "maximum_bytes",
      as: ConfigurationKind.byteCount.filter("1 MiB or more, such as 16 GiB") { $0 >= 1 << 20 })
    guard let directory else { return nil }
    self.directory = directory
  }
}
