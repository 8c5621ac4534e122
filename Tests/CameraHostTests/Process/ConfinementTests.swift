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
      let allowed = [
        "SWIFT_BACKTRACE", "PLATEN_CONFINEMENT", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "ASAN_OPTIONS",
        "LTTNG_UST_WITHOUT_BADDR_STATEDUMP",
      ]
      try expectGivenUp(by: process) {
        allowed.contains($0) || $0.hasPrefix("LIBCAMERA_")
      }
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
  }
}
