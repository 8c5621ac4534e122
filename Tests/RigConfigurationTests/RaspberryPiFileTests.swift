import API
import Foundation
import LinuxDevices
import RigConfiguration
import Testing

/// The configurations of the Raspberry Pis, which `board/rpi/generate` writes.
@Suite struct RaspberryPiFileTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../board/rpi").standardized
  /// The lines with the same name on all models; a 3 B names the earlier lines by their function.
  private static let commonLines = Set((16...27).map { GPIOLineAddress.name("GPIO\($0)") })

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The names of the files; `platen` is for any other Raspberry Pi.
  static let names = [
    "platen", "rpi-3", "rpi-4", "rpi-5", "rpi-cm4", "rpi-cm5", "rpi-zero-2-w",
  ]

  @Test func `every configuration of the folder is tested`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
    #expect(files == Self.names.map { $0 + ".yaml" })
  }

  @Test(arguments: names)
  func `a configuration is in order`(_ name: String) throws {
    let text = try Self.text(name + ".yaml")
    let configuration = try PlatenConfiguration.parse(text, file: name)
    var lines = configuration.buttons.map(\.line)
    for case .line(let line, _) in configuration.indicators.values { lines.append(line) }
    #expect(lines.count == (name == "platen" ? 4 : 1) && Set(lines).count == lines.count)
    #expect(Self.commonLines.isSuperset(of: lines), "\(lines)")
    #expect(configuration.indicators.count == 3)
    #expect(configuration.thermal.zones == ["cpu-thermal"])
    #expect(configuration.api.server.socketGroup == "platen-console")
    // The service finds both files by the names in the device tree.
    #expect(configuration.power.throttled == nil)
    #expect(configuration.power.undervoltageAlarm == nil)
  }

  /// The parts in the comments: lamp, and power button in place of the short form of the shutter.
  @Test(arguments: ["platen", "rpi-4"])
  func `a configuration with all optional parts is in order`(_ name: String) throws {
    var isShortForm = false
    let lines = try Self.text(name + ".yaml").split(separator: "\n").compactMap { line -> String? in
      if !line.hasPrefix(" ") { isShortForm = line.hasPrefix("shutter:") }
      if isShortForm { return nil }
      let isPart = ["# lamp:", "# buttons:", "#   "].contains { line.hasPrefix($0) }
      return isPart ? String(line.dropFirst(2)) : String(line)
    }
    let text = lines.joined(separator: "\n") + "\n"
    let configuration = try PlatenConfiguration.parse(text, file: name)
    #expect(configuration.buttons.map(\.name).sorted() == ["power", "shutter"])
    #expect(Set(configuration.buttons.map(\.line)).count == 2)
    #expect(configuration.lamp != nil)
  }
}
