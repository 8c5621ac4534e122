/// A list of mounts, as the kernel writes it (`/proc/self/mounts`) or a person does (`/etc/fstab`).
///
/// Sources: proc_pid_mounts(5), fstab(5).
struct MountTable {
  /// A line of the list.
  struct Mount: Hashable {
    var device: String
    var point: String
    var type: String
    var options: [String]

    var isReadOnly: Bool { options.contains("ro") }

    /// The directory with the changes of an overlay; `nil` for another type of file system.
    var upperDirectory: String? {
      let key = "upperdir="
      guard type == "overlay", let option = options.first(where: { $0.hasPrefix(key) }) else {
        return nil
      }
      return String(option.dropFirst(key.count))
    }
  }

  /// The mounts, in the order of the list.
  let mounts: [Mount]

  /// Reads a list; lines that are no mounts are skipped.
  init(_ text: String?) {
    mounts = (text ?? "").split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 4, !words[0].hasPrefix("#") else { return nil }
      return Mount(
        device: Self.unescaped(String(words[0])), point: Self.unescaped(String(words[1])),
        type: String(words[2]), options: words[3].split(separator: ",").map(String.init))
    }
  }

  /// Returns the mount that contains a path: the deepest, and the last of several on a point.
  func mount(of path: String) -> Mount? {
    var best: Mount?
    for mount in mounts {
      let point = mount.point
      let isInside = path == point || point == "/" || path.hasPrefix(point + "/")
      guard isInside, point.utf8.count >= best?.point.utf8.count ?? 0 else { continue }
      best = mount
    }
    return best
  }

  /// Decodes a path: the kernel writes space, tab, line feed and backslash as three octal digits.
  static func unescaped(_ text: String) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}
