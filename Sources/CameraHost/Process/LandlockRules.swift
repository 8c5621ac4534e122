import CHostCalls
import Devices
import Glibc

/// The files that a process may use, as Landlock (landlock(7)) enforces them.
struct LandlockRules {
  /// Accesses to files and directories, with the bits of linux/landlock.h.
  struct Access: OptionSet {
    var rawValue: UInt64
    static let execute = Access(rawValue: 1 << 0)
    static let writeFile = Access(rawValue: 1 << 1)
    static let readFile = Access(rawValue: 1 << 2)
    static let readDirectory = Access(rawValue: 1 << 3)
    /// The ioctls of device nodes, from version 5.
    static let deviceIoctl = Access(rawValue: 1 << 15)

    /// Returns all accesses that a version of Landlock can forbid.
    static func all(inVersion version: Int) -> Access {
      let count =
        switch version {
        case ...0: 0
        case 1: 13
        case 2: 14
        case 3, 4: 15
        default: 16
        }
      return Access(rawValue: (1 << count) - 1)
    }
  }

  /// The allowed accesses below each path; everything else is forbidden.
  var paths: [(path: String, access: Access)]

  /// The rules for libcamera: its modules and tuning files, the data on devices, and the nodes.
  ///
  /// The kernel and udev give the data on devices. In `/dev` the nodes may be used, and nothing may
  /// be made or removed. The rule covers the whole directory, because a camera that is plugged in
  /// later gets a new node. A rule for the current nodes would forbid it. The owner of a node and
  /// the unit's `DevicePolicy` decide whether the node may be opened.
  static var camera: LandlockRules {
    program(
      reading: ["/usr", "/lib", "/lib64", "/etc", "/sys", "/proc", "/run/udev"],
      devices: [("/dev", [.readFile, .writeFile, .readDirectory, .deviceIoctl])])
  }

  /// Returns the rules for libavcodec: its libraries, and the nodes of video.
  ///
  /// The configuration in `/etc` may hold secrets. Files and frames come as open descriptors.
  ///
  /// - Parameter hasSound: whether libasound may have its files and the nodes of sound, too.
  static func recorder(hasSound: Bool) -> LandlockRules {
    var readable = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/sys", "/proc"]
    var devices: [(path: String, access: Access)] = [("/dev", .readDirectory)]
    for name in (try? SystemCalls.names(in: "/dev")) ?? [] where name.hasPrefix("video") {
      devices.append(("/dev/" + name, [.readFile, .writeFile, .deviceIoctl]))
    }
    if hasSound {
      readable += ["/etc/alsa", "/etc/asound.conf"]
      devices += [
        ("/dev/snd", [.readFile, .writeFile, .readDirectory, .deviceIoctl]),
        // libasound opens these for a device without a card.
        ("/dev/null", [.readFile, .writeFile]), ("/dev/full", .readFile),
      ]
    }
    return program(reading: readable, devices: devices)
  }

  /// Returns the rules for a program with its libraries, some other paths and devices.
  private static func program(
    reading readablePaths: [String], devices: [(path: String, access: Access)]
  ) -> LandlockRules {
    let readable: Access = [.readFile, .readDirectory, .execute]
    var paths = readablePaths.map { (path: $0, access: readable) } + devices
    // The environment names more places of libraries, modules and tuning files.
    for (name, value) in HostLaunch.inheritedEnvironment
    where name.hasPrefix("LIBCAMERA_") || name == "LD_LIBRARY_PATH" {
      for path in value.split(separator: ":") where path.hasPrefix("/") {
        paths.append((String(path), readable))
      }
    }
    // A build leaves the camera object beside the program.
    if let directory = programDirectory { paths.append((directory, readable)) }
    // The program and its libraries are needed for the restart, wherever they are. Most of them are
    // in a directory that has a rule already.
    let usable: Access = [.readFile, .execute]
    let allowed = paths.filter { $0.access.isSuperset(of: usable) }.map { $0.path + "/" }
    for file in mappedFiles() where !allowed.contains(where: { file.hasPrefix($0) }) {
      paths.append((file, usable))
    }
    return LandlockRules(paths: paths)
  }

  private static var programDirectory: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, buffer.count)
      guard count > 0 else { return nil }
      let path = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
  }

  /// Returns the files that are mapped into this process (`/proc/self/maps`).
  private static func mappedFiles() -> Set<String> {
    guard let file = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4608)
    var paths: Set<String> = []
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let start = text.firstIndex(of: "/") {
        paths.insert(String(text[start...].prefix { $0 != "\n" }))
      }
    }
    return paths
  }

  /// Puts the rules in force for this thread and its later threads and programs.
  ///
  /// Missing paths are skipped.
  ///
  /// - Returns: the version of Landlock, or 0 when the kernel has none or refuses.
  func restrict() -> Int {
    let version = Int(CHostCalls_landlockVersion())
    guard version > 0 else { return 0 }
    let handled = Access.all(inVersion: version)
    let ruleset = CHostCalls_landlockRuleset(handled.rawValue)
    guard ruleset >= 0 else { return 0 }
    defer { close(ruleset) }
    for (path, access) in paths {
      let parent = CHostCalls_openName(path)
      guard parent >= 0 else { continue }
      defer { close(parent) }
      var allowed = access.intersection(handled)
      var status = stat()
      if fstat(parent, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
        allowed.remove(.readDirectory)
      }
      _ = CHostCalls_landlockAllow(ruleset, parent, allowed.rawValue)
    }
    return CHostCalls_landlockRestrict(ruleset) == 0 ? version : 0
  }
}
