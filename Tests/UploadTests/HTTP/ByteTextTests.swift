import Digests
import Testing

@testable import Upload

@Suite struct ByteTextTests {
  @Test(arguments: [([UInt8](), "", ""), ([0, 255, 16], "00ff10", "AP8Q"), ([77], "4d", "TQ==")])
  func `bytes are written as hexadecimal digits and Base64`(
    bytes: [UInt8], hexadecimal: String, base64: String
  ) {
    #expect(bytes.hexadecimal == hexadecimal)
    #expect(ByteText.base64(bytes) == base64)
    #expect([UInt8](hexadecimal: hexadecimal.uppercased()) == bytes)
  }

  @Test(arguments: ["0", "0g", "zz", " 00", "００"])
  func `text that is not hexadecimal is refused`(text: String) {
    #expect([UInt8](hexadecimal: text) == nil)
  }

  @Test func `a server's text is shown on one line`() {
    #expect(ByteText.shown(" a\r\n\u{1B}[31mb\tc\u{9B} ") == "a [31mb c")
    #expect(ByteText.shown("abcdef", maximum: 3) == "abc…")
  }
}
