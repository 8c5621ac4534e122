import Foundation
import LinuxDevices
import Platen
import Testing

/// The board file of a Raspberry Pi.
@Suite struct RaspberryPiFileTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardized
  /// The lines with the same name on all models; a 3 B names the earlier lines by their function.
  private static let commonLines = Set((16...27).map { GPIOLineAddress.name("GPIO\($0)") })

  @Test func `the board file fits every model`() throws {
    let file = Self.repository.appendingPathComponent("board/rpi/platen.yaml")
    let configuration = try PlatenConfiguration.load(path: file.path)
    var lines = configuration.buttons.map(\.line)
    for case .line(let line, _) in configuration.indicators.values { lines.append(line) }
    #expect(lines.count == 4 && Set(lines).count == 4)
    #expect(Self.commonLines.isSuperset(of: lines), "\(lines)")
    #expect(configuration.thermal.zones == ["cpu-thermal"])
    // The service finds both files by the names in the device tree.
    #expect(configuration.power.throttled == nil)
    #expect(configuration.power.undervoltageAlarm == nil)
  }

  @Test func `the guide and the file have the same wiring`() throws {
    let guide = try String(
      contentsOf: Self.repository.appendingPathComponent("docs/how-to/wire.md"), encoding: .utf8)
    let file = try String(
      contentsOf: Self.repository.appendingPathComponent("board/rpi/platen.yaml"), encoding: .utf8)
    for number in [17, 23, 24, 25] {
      #expect(file.contains("GPIO\(number)") && guide.contains("| GPIO \(number)"), "\(number)")
    }
  }
}
