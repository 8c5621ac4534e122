import Devices
import Glibc

/// A directory of kernel attributes (sysfs): small files with one value each.
///
/// All calls block, though the kernel answers most at once; call them on a device's own executor.
struct SysfsDirectory: Sendable, Hashable {
  /// The directory's path.
  let path: String

  /// Returns a directory below this one.
  func appending(_ relativePath: String) -> SysfsDirectory {
    SysfsDirectory(path: path + "/" + relativePath)
  }

  /// Whether the directory exists.
  var exists: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns whether an attribute exists.
  func has(_ attribute: String) -> Bool {
    access(path + "/" + attribute, F_OK) == 0
  }

  /// Lists the entries with a prefix and a number after it, ordered by that number.
  ///
  /// - Throws: ``SystemError`` when the directory cannot be read.
  func numberedEntries(prefix: String) throws(SystemError) -> [String] {
    let names = try SystemCalls.names(in: path)
    let numbered = names.compactMap { name -> (number: Int, name: String)? in
      guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else {
        return nil
      }
      return (number, name)
    }
    return numbered.sorted { $0.number < $1.number }.map(\.name)
  }

  /// Reads an attribute, without the line feed at its end.
  ///
  /// - Throws: ``SystemError`` from `open` or `read`.
  func read(_ attribute: String) throws(SystemError) -> String {
    let descriptor = open(path + "/" + attribute, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    // The kernel returns an attribute whole, in one read of at most a page.
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .last }
    let end = bytes.prefix(count).lastIndex { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    return String(decoding: bytes[..<(end.map { $0 + 1 } ?? 0)], as: UTF8.self)
  }

  /// Writes an attribute.
  ///
  /// - Throws: ``SystemError`` from `open` or `write`; a driver refuses a value in `write`.
  func write(_ value: String, to attribute: String) throws(SystemError) {
    let descriptor = open(path + "/" + attribute, O_WRONLY | O_CLOEXEC | O_TRUNC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    let bytes = Array(value.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw .last }
  }
}
