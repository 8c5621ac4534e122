/// The settings of a ``DirectoryTarget``.
package struct DirectoryConfiguration: Sendable, Hashable {
  /// The directory's absolute path: a mounted drive, or a directory on one.
  package var directory: String
  /// The name in the directory's marker: 1 to 64 of `A-Z a-z 0-9 _ -`.
  ///
  /// The marker distinguishes the drive from the empty mount point and from other drives.
  package var name: String
  /// The bytes that deliveries leave free, 0 or more.
  package var reserveBytes: Int64

  package init(directory: String, name: String, reserveBytes: Int64 = 64 << 20) {
    self.directory = directory
    self.name = name
    self.reserveBytes = reserveBytes
  }
}
