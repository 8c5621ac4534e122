import CHostCalls
import Devices
import Foundation
import Testing

@testable import CameraHost

extension HostedCameras {
  /// The rights that the camera process has given up, as reported by the kernel.
  @Suite struct ConfinementTests {
    @Test func `a library in an allowed directory has no rule of its own`() {
      let paths = LandlockRules.camera.paths.map { $0.path }
      #expect(paths.contains("/usr"))
      #expect(!paths.contains { $0.hasPrefix("/usr/") && $0.contains(".so") })
    }

    @Test func `the process has only the rights that it needs`() async throws {
      // A descriptor that must not be inherited, although it is not close-on-exec.
      let extra = dup(1)
      defer { close(extra) }
      let system = Fixture.system("simulated")
      _ = try await system.cameras()
      let process = try #require(system.processID)
      // All threads, including those that a library started before the first line of the program.
      for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
        let path = "/proc/\(process)/task/\(thread)/status"
        // A thread that has ended meanwhile has no file.
        guard let status = try fields(of: path) else { continue }
        #expect(status["NoNewPrivs"] == "1")
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
          #expect(status[set] == "0000000000000000", "\(set) of \(status["Name"] ?? "")")
        }
      }
      let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
      #expect(core?.split(whereSeparator: \.isWhitespace).dropFirst(4).first == "0")
      // A process without a core file belongs to root as far as /proc goes.
      if getuid() == 0 {
        let environment = try String(
          contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
        let names = environment.split(separator: "\0").compactMap { $0.split(separator: "=").first }
        let allowed = [
          "SWIFT_BACKTRACE", "PLATEN_CONFINEMENT", "LD_LIBRARY_PATH", "TSAN_OPTIONS",
          "ASAN_OPTIONS",
        ]
        #expect(
          names.allSatisfy { allowed.contains(String($0)) || $0.hasPrefix("LIBCAMERA_") },
          "\(names)")
        for descriptor in try FileManager.default.contentsOfDirectory(
          atPath: "/proc/\(process)/fd")
        {
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process)/fd/\(descriptor)")
          let number = Int(descriptor) ?? -1
          #expect(
            number <= 3 || target?.hasPrefix("anon_inode:") == true
              || target?.hasPrefix("/memfd:") == true,
            "\(descriptor) is \(target ?? "?")")
        }
      }
      // The process has a group of its own, so that a Ctrl-C on the terminal ends only the service.
      #expect(getpgid(process) == process)
      await system.shutDown()
    }

    @Test(.enabled(if: CHostCalls_landlockVersion() > 0, "needs Landlock"))
    func `Landlock keeps the process to its files`() throws {
      let outside = FileManager.default.temporaryDirectory
        .appendingPathComponent("platen-\(UUID().uuidString)")
      try Data("secret".utf8).write(to: outside)
      defer { try? FileManager.default.removeItem(at: outside) }
      let answers = [
        (outside.path, "Permission denied"), ("/etc/hostname", "open"), ("/proc/self/maps", "open"),
        ("/dev/null", "open"), ("/sys/kernel/mm", "open"), ("/usr/lib", "open"),
        ("write:/etc/hostname", "Permission denied"),
        ("make:/dev/shm/platen-x", "Permission denied"),
        ("make:\(outside.path)-new", "Permission denied"), ("write:/dev/null", "open"),
      ]
      for (path, answer) in answers {
        let helper = try Helper("confined", path)
        #expect(helper.line() == answer, "\(path)")
      }
    }

    @Test(.enabled(if: CHostCalls_landlockVersion() > 0, "needs Landlock"))
    func `Landlock keeps a recorder from the configuration and from most devices`() throws {
      let answers = [
        ("/etc/hostname", "Permission denied"), ("/etc/ld.so.cache", "open"),
        ("/proc/self/maps", "open"), ("/sys/kernel/mm", "open"), ("/usr/lib", "open"),
        ("/dev/zero", "Permission denied"), ("write:/dev/full", "Permission denied"),
        ("make:/dev/shm/platen-x", "Permission denied"),
      ]
      // libasound's files, with the nodes of sound, are there for a recording with sound alone.
      for (program, null) in [("recorder", "Permission denied"), ("recorder-with-sound", "open")] {
        for (path, answer) in answers + [("write:/dev/null", null)] {
          let helper = try Helper(program, path)
          #expect(helper.line() == answer, "\(program) \(path)")
        }
      }
    }

    @Test func `the filter refuses a recorder all sockets`() throws {
      for family in ["inet", "unix", "netlink"] {
        let helper = try Helper("recorder", "socket:\(family)")
        #expect(helper.line() == "Address family not supported by protocol", "\(family)")
      }
    }

    @Test func `the filter refuses a socket of the network and no other`() throws {
      for (family, answer) in [
        ("inet", "Address family not supported by protocol"), ("unix", "open"), ("netlink", "open"),
      ] {
        let helper = try Helper("confined", "socket:\(family)")
        #expect(helper.line() == answer, "\(family)")
      }
    }

    @Test func `the description names only active restrictions`() {
      #expect(Confinement().description == "none")
      var confinement = Confinement()
      confinement.hasNoNewPrivileges = true
      confinement.landlockVersion = 3
      confinement.hasCallFilter = true
      #expect(
        confinement.description == "no new privileges, Landlock 3, a filter of system calls")
    }

    /// Returns the fields of a thread's file; `nil` if the thread is gone.
    private func fields(of path: String) throws -> [String: String]? {
      var bytes = [UInt8](repeating: 0, count: 16_384)
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      let count = descriptor < 0 ? -1 : read(descriptor, &bytes, bytes.count)
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      if count < 0, code == ENOENT || code == ESRCH { return nil }
      try #require(count >= 0, "\(path): \(SystemError(code))")
      var fields: [String: String] = [:]
      for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      return fields
    }
  }
}
