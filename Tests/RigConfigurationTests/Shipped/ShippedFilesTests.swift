import Devices
import Foundation
import TestSupport
import Testing

@testable import RigConfiguration

/// The files for systemd and for Debian agree with the documentation and with the code.
@Suite struct ShippedFilesTests {
  private func url(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../\(path)")
  }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOf: url(path), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private static let unit = ["systemd/platend.service"]
  private let unitWithRecorder = unit + ["systemd/platen-recorder.conf"]

  private func values(of key: String, in files: [String] = unit) throws -> [String] {
    try files.flatMap { try lines($0) }.filter { $0.hasPrefix("\(key)=") }
      .map { String($0.dropFirst(key.count + 1)) }
  }

  /// Only a member may give a file to a group (chown(2)).
  @Test func `the service's user is in the group that the console needs`() throws {
    let setting = try #require(
      lines("docs/how-to/set-up-the-serial-console.md")
        .compactMap { $0.firstMatch(of: /socket_group: ([a-z-]+)/) }.first)
    // The service starts before the console's package is there.
    let members = try lines("systemd/platen.sysusers.conf")
    #expect(members.contains("g \(setting.1) -"))
    #expect(members.contains("m platen \(setting.1)"))
  }

  /// A credential that cannot be decrypted would keep the service from starting.
  @Test func `the unit awaits the check of all credentials that it imports`() throws {
    let check = try lines("systemd/platen-credentials.service")
    let globs = try values(of: "ImportCredential")
    #expect(!globs.isEmpty)
    for glob in globs {
      for name in [glob, "unusable." + glob] {
        #expect(check.contains("ConditionPathExistsGlob=|/etc/credstore.encrypted/\(name)"))
      }
    }
    #expect(try values(of: "Wants").contains("platen-credentials.service"))
    #expect(try values(of: "After").contains("platen-credentials.service"))
    let script = try #require(lines("systemd/platen.credentials.sh").first)
    let place = try #require(script.split(separator: " ").last)
    #expect(check.contains("ExecStart=/bin/sh \(place)"))
  }

  /// A setup removes no secret that one of these files names.
  @Test func `the setup knows the files that its units apply and finish`() throws {
    let machine = SetupMachine(
      isRoot: false, isZone: { _ in false }, setZone: { _ in nil }, encrypt: { _, _ in nil },
      defaultConfiguration: { nil })
    for unit in ["platen-setup", "platen-first-picture"] {
      let unit = try lines("systemd/\(unit).service")
      let start = try #require(unit.first { $0.hasPrefix("ExecStart=") })
      #expect(start.split(separator: " ").count { $0 == "--set-up" } == machine.setupFiles.count)
      for path in machine.setupFiles {
        #expect(start.contains("--set-up \(path) "), "\(path)")
        #expect(unit.contains("ConditionPathExists=|\(path)"))
      }
    }
  }

  /// The doctor takes the user's groups for the service's, so that the unit may add none.
  @Test func `the service's user is in the groups of the devices`() throws {
    let members = try lines("systemd/platen.sysusers.conf")
    for group in ["video", "gpio", "iio"] {
      #expect(members.contains("m platen \(group)"))
    }
    #expect(try lines("systemd/platen-recorder.sysusers.conf").contains("m platen audio"))
    #expect(try values(of: "SupplementaryGroups", in: unitWithRecorder) == [])
  }

  /// A rig without the recorder's package needs no microphone, and no process of it reaches one.
  @Test func `only the recorder's package permits sound`() throws {
    let without = try values(of: "DeviceAllow")
    #expect(!without.contains { $0.contains("alsa") || $0.contains("/dev/snd") })
    #expect(try !lines("systemd/platen.sysusers.conf").contains("m platen audio"))
    let with = try values(of: "DeviceAllow", in: unitWithRecorder)
    #expect(with == without + ["char-alsa rw"])
  }

  /// A device without a loaded module at the start is refused until the unit starts again.
  ///
  /// Source: systemd.resource-control(5), `DeviceAllow=`.
  @Test func `every device is known to the kernel before the start`() throws {
    // gpiochip and dma_heap are never modules (drivers/gpio/Kconfig, drivers/dma-buf/Kconfig).
    let modules = [
      "char-video4linux": "videodev", "char-media": "mc", "char-iio": "industrialio",
      "char-alsa": "snd", "/dev/udmabuf": "udmabuf", "char-gpiochip": nil, "char-dma_heap": nil,
    ]
    let wanted = try values(of: "Wants", in: unitWithRecorder).flatMap { $0.split(separator: " ") }
    let awaited = try values(of: "After", in: unitWithRecorder).flatMap { $0.split(separator: " ") }
    for allowed in try values(of: "DeviceAllow", in: unitWithRecorder) {
      let device = String(allowed.prefix { $0 != " " })
      guard let module = try #require(modules[device], "\(device) has no module here") else {
        continue
      }
      #expect(wanted.contains("modprobe@\(module).service"), "\(device)")
      #expect(awaited.contains("modprobe@\(module).service"), "\(device)")
    }
  }

  /// A fault at each start would fill the journal at the pace of the first restart.
  @Test func `restarts slow down and never end`() throws {
    let first = try #require(Int(values(of: "RestartSec").joined()))
    let last = try #require(Int(values(of: "RestartMaxDelaySec").joined()))
    let steps = try #require(Int(values(of: "RestartSteps").joined()))
    #expect(steps > 0 && last > first)
    #expect(try values(of: "Restart") == ["always"])
    #expect(try values(of: "StartLimitIntervalSec") == ["0"])
  }

  @Test func `the documentation has the place of each shipped file`() throws {
    let page = try lines("docs/reference/files-and-directories.md").joined(separator: "\n")
    for folder in ["systemd", "udev", "polkit"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: url(folder).path) {
        let file = "\(folder)/\(name)"
        let place = try #require(
          lines(file).first?.firstMatch(of: /Installed as (\/\S+)$/), "\(file) has no place")
        #expect(page.contains("`\(file)`"), "\(file)")
        #expect(page.contains("`\(place.1)`"), "\(place.1)")
      }
    }
  }

  @Test func `the Debian package has the program's version`() throws {
    let entry = try #require(lines("debian/changelog").first)
    #expect(entry.hasPrefix("platen (\(PlatenVersion.current)) "))
  }

  @Test func `the Debian package is built with the libraries of the set-up`() throws {
    let installed = try lines("board/setup").drop { $0 != "build=(" }.prefix { $0 != ")" }
      .flatMap { $0.split(separator: " ") }.filter { $0.hasSuffix("-dev") }
    let needed = try lines("debian/control").compactMap {
      $0.firstMatch(of: /^\s(\S+-dev),$/)?.1
    }
    #expect(Set(needed) == Set(installed))
  }

  @Test func `the Debian package names the license of each Swift package, also of indirect ones`()
    throws
  {
    let copyright = try lines("debian/copyright").joined(separator: "\n")
    // No module of these is among the objects that SwiftPM links to platend.
    let foreign: Set = [
      "async-http-client", "swift-algorithms", "swift-asn1", "swift-certificates",
      "swift-configuration", "swift-crypto", "swift-http-structured-headers", "swift-nio-http2",
      "swift-nio-ssl", "swift-nio-transport-services", "swift-numerics",
    ]
    let packages = try lines("Package.resolved").compactMap {
      $0.firstMatch(of: /"location" : ".*\/([^"\/]+?)(?:\.git)?"/).map { String($0.1) }
    }
    #expect(packages.count > foreign.count && foreign.isSubset(of: packages))
    for package in packages where !foreign.contains(package) {
      #expect(copyright.contains("checkouts/\(package)/*"), "\(package)")
    }
  }
}
