import Glibc

/// The descriptors 0, 1 and 2, which every program expects to be its input, output and error.
package enum StandardDescriptors {
  /// Opens `/dev/null` in the place of each one that is closed.
  ///
  /// A socket that gets such a number would get the log's lines. Must be called before any file is
  /// opened.
  package static func fill() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is the closed one's.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
