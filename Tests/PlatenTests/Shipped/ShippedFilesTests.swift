import Foundation
import TestSupport
import Testing

@testable import Platen

/// The files for systemd agree with the documentation.
@Suite struct ShippedFilesTests {
  private func lines(_ path: String) throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../\(path)")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func values(of key: String) throws -> [String] {
    try lines("systemd/platend.service").filter { $0.hasPrefix("\(key)=") }
      .map { String($0.dropFirst(key.count + 1)) }
  }

  /// Only a member may give a file to a group (chown(2)).
  @Test func `the service's user is in the group that the console needs`() throws {
    let setting = try #require(
      lines("docs/how-to/set-up-the-serial-console.md")
        .compactMap { $0.firstMatch(of: /socket_group: ([a-z-]+)/) }.first)
    let members = try lines("systemd/platen-console.sysusers.conf")
    #expect(members.contains("g \(setting.1) -"))
    #expect(members.contains("m platen \(setting.1)"))
  }

  /// The doctor takes the user's groups for the service's, so that the unit may add none.
  @Test func `the service's user is in the groups of the devices`() throws {
    let members = try lines("systemd/platen.sysusers.conf")
    for group in ["video", "gpio", "iio"] { #expect(members.contains("m platen \(group)")) }
    #expect(try values(of: "SupplementaryGroups") == [])
  }

  /// A device without a loaded module at the start is refused until the unit starts again.
  ///
  /// Source: systemd.resource-control(5), `DeviceAllow=`.
  @Test func `every device is known to the kernel before the start`() throws {
    // gpiochip and dma_heap are never modules (drivers/gpio/Kconfig, drivers/dma-buf/Kconfig).
    let modules = [
      "char-video4linux": "videodev", "char-media": "mc", "char-iio": "industrialio",
      "/dev/udmabuf": "udmabuf", "char-gpiochip": nil, "char-dma_heap": nil,
    ]
    let wanted = try values(of: "Wants").flatMap { $0.split(separator: " ") }
    let awaited = try values(of: "After").flatMap { $0.split(separator: " ") }
    for allowed in try values(of: "DeviceAllow") {
      let device = String(allowed.prefix { $0 != " " })
      guard let module = try #require(modules[device], "\(device) has no module here") else {
        continue
      }
      #expect(wanted.contains("modprobe@\(module).service"), "\(device)")
      #expect(awaited.contains("modprobe@\(module).service"), "\(device)")
    }
  }
}
