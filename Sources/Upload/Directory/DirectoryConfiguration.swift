/// Where a ``DirectoryTarget`` delivers.
public struct DirectoryConfiguration: Sendable, Hashable {
  /// The directory's absolute path: a mounted drive, or a directory on one.
  public var directory: String
  /// The name in the directory's marker, which tells the drive from the mount point without it and
  /// from other drives: 1 to 64 of `A-Z a-z 0-9 _ -`.
  public var name: String
  /// The bytes that deliveries leave free, 0 or more.
  public var reserveBytes: Int64

  /// Makes a configuration.
  public init(directory: String, name: String, reserveBytes: Int64 = 64 << 20) {
    self.directory = directory
    self.name = name
    self.reserveBytes = reserveBytes
  }
}
