import Devices
import Testing

@Suite struct WrittenTextTests {
  @Test(
    arguments: [
      Array("ü\r\n".utf8), [0xEF, 0xBB, 0xBF, 0xC3, 0xBC, 0x0D, 0x0A],
      [0xFF, 0xFE, 0xFC, 0, 0x0D, 0, 0x0A, 0], [0xFE, 0xFF, 0, 0xFC, 0, 0x0D, 0, 0x0A],
    ] as [[UInt8]])
  func `the text of every system is the same`(bytes: [UInt8]) {
    #expect(WrittenText.text(of: bytes) == "ü\r\n")
    #expect(WrittenText.firstLine(of: bytes) == "ü")
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x61], [0xFF, 0xFE, 0x00, 0xD8], [0xC3], [0x61, 0xFF], [0xFE, 0xFF, 0xDC, 0x00],
    ] as [[UInt8]])
  func `an invalid text is refused`(bytes: [UInt8]) {
    #expect(WrittenText.text(of: bytes) == nil)
  }

  @Test(arguments: [
    ("", ""), ("\n", ""), ("  \t\r\nx", ""), (" a b \nc", "a b"), ("a\u{FEFF}", "a\u{FEFF}"),
  ])
  func `a line is trimmed of white space`(text: String, line: String) {
    #expect(WrittenText.firstLine(of: Array(text.utf8)) == line)
  }
}
