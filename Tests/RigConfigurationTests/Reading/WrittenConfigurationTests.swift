import Foundation
import RigConfiguration
import TestSupport
import Testing

@Suite struct WrittenConfigurationTests {
  /// Files as the editors of other systems write them.
  @Test func `byte order marks and UTF-16 are read`() throws {
    let text = PlatenConfigurationTests.minimal.replacing("\n", with: "\r\n")
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    for bytes in [[0xEF, 0xBB, 0xBF] + Array(text.utf8), wide] {
      let folder = TemporaryDirectory(on: .memory)
      let file = folder.path + "/platen.yaml"
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      #expect(try PlatenConfiguration.load(path: file).rigID == "rig-1")
    }
  }
}
