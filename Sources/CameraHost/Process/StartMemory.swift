import Devices
import Glibc

/// The memory in which the kernel gave this process its arguments and its environment.
///
/// `/proc/self/cmdline` and `/proc/self/environ` show that memory. `/proc/self/stat` has its place
/// (proc(5), from Linux 3.5 on).
enum StartMemory {
  /// Overwrites the environment with zeros and the arguments with a name, as far as it fits.
  ///
  /// No variable of the environment may be used any more but those that were set later.
  static func overwrite(with name: String) {
    let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard let bytes = try? SystemCalls.read(descriptor, limit: 4096),
      let places = places(in: String(decoding: bytes, as: UTF8.self))
    else { return }
    fill(places.environment, with: [])
    fill(places.arguments, with: Array(name.utf8))
  }

  /// Returns the addresses in the text of `/proc/self/stat`; `nil` when the kernel does not tell.
  static func places(
    in text: String
  ) -> (arguments: Range<UInt>, environment: Range<UInt>)? {
    // The name of the program, in parentheses, may contain anything.
    let fields = text.split(separator: ")").last?.split(separator: " ").map { UInt($0) } ?? []
    // The fields are numbered from 1, and the first one after the name is the third.
    guard fields.count > 51 - 3,
      case let places = fields[(48 - 3)...(51 - 3)].compactMap({ $0 }), places.count == 4,
      places[0] > 0, places[0] < places[1], places[1] <= places[2], places[2] <= places[3]
    else { return nil }
    return (places[0]..<places[1], places[2]..<places[3])
  }

  private static func fill(_ place: Range<UInt>, with text: [UInt8]) {
    guard !place.isEmpty, let start = UnsafeMutableRawPointer(bitPattern: place.lowerBound)
    else { return }
    memset(start, 0, place.count)
    // The last byte stays zero: with another one, the kernel takes the environment for arguments.
    for (index, byte) in text.prefix(place.count - 1).enumerated() {
      start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}
