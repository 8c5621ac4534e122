#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The errors of system calls that come from a lack of resources of this process or the machine.
///
/// Such an error says nothing about the file or the peer of the call, which may succeed later.
package enum ResourceShortage {
  /// Returns whether an `errno` means that descriptors or memory are short.
  package static func isMeant(by number: Int32) -> Bool {
    [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number)
  }
}
