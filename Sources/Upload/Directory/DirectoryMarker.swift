import Devices

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file that makes a directory a target: one line with the target's name.
enum DirectoryMarker {
  /// Returns whether a byte may be part of a target's name.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Reads the name in a directory's marker; returns `nil` when there is no marker.
  ///
  /// A byte that is not allowed in a name becomes a question mark.
  static func read(in root: borrowing OpenFile) throws(DeliveryFailure) -> String? {
    let file: OpenFile
    do throws(FileFailure) {
      file = try root.open(DirectoryTarget.markerName, O_RDONLY)
    } catch {
      if error.number == ENOENT { return nil }
      throw error.deliveryFailure
    }
    do throws(FileFailure) {
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = try file.read(into: &buffer, at: 0)
      let line = WrittenText.firstLine(of: buffer[..<count])
      return String(
        decoding: line.utf8.map { isNameByte($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    } catch {
      throw error.deliveryFailure
    }
  }
}
