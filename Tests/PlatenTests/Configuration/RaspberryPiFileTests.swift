import Foundation
import Platen
import Testing

/// The board file of a Raspberry Pi.
@Suite struct RaspberryPiFileTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardized
  /// The lines that all models call the same; a 3 B calls the earlier ones after what they may do.
  private static let commonLines = Set((16...27).map { GPIOLineName.name("GPIO\($0)") })

  @Test func itFitsEveryModel() throws {
    let file = Self.repository.appendingPathComponent("board/rpi/platen.yaml")
    let configuration = try PlatenConfiguration.load(path: file.path)
    var lines = configuration.buttons.map(\.line)
    for case .line(let line, _) in configuration.indicators.values { lines.append(line) }
    #expect(lines.count == 4 && Set(lines).count == 4)
    #expect(Self.commonLines.isSuperset(of: lines), "\(lines)")
    #expect(configuration.thermal.zones == ["cpu-thermal"])
    // They are found by their device tree's names.
    #expect(configuration.power.throttled == nil)
    #expect(configuration.power.undervoltageAlarm == nil)
  }

  @Test func theWiringOfTheReadmeIsThatOfTheFile() throws {
    let readme = try String(
      contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
    let file = try String(
      contentsOf: Self.repository.appendingPathComponent("board/rpi/platen.yaml"), encoding: .utf8)
    for number in [17, 23, 24, 25] {
      #expect(file.contains("GPIO\(number)") && readme.contains("| GPIO \(number)"), "\(number)")
    }
  }
}
