import Devices
import Glibc
import Settings

/// The file that makes a directory a target: one line with the target's name.
enum DirectoryMarker {
  /// The characters of a target's name.
  static var nameCharacters: NameCharacters { .identifier }

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
      let name = line.utf8.map { nameCharacters.contains($0) ? $0 : UInt8(ascii: "?") }
      return String(decoding: name, as: UTF8.self)
    } catch {
      throw error.deliveryFailure
    }
  }
}
