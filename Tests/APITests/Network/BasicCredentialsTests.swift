import Foundation
import Testing

@testable import API

@Suite struct BasicCredentialsTests {
  private func header(_ text: String, scheme: String = "Basic") -> String {
    "\(scheme) \(Data(text.utf8).base64EncodedString())"
  }

  @Test(
    arguments: [
      ("viewer:platen_x", "platen_x"), (":platen_x", "platen_x"), ("viewer:", ""),
      ("viewer:a:b:", "a:b:"), ("b\u{E4}rbel:\u{E4}", "\u{E4}"),
    ] as [(String, String)])
  func `the password is what follows the first colon`(_ text: String, _ password: String) {
    for scheme in ["Basic", "basic", "BASIC"] {
      #expect(BasicCredentials(header(text, scheme: scheme))?.password == password)
    }
  }

  @Test(arguments: ["", "Basic", "Basic ", "Basic dmlld2Vy", "Basic ???", "Basic /w==", "Bearer x"])
  func `anything else has no password`(_ header: String) {
    #expect(BasicCredentials(header) == nil)
  }

  @Test func `a header without end is not decoded`() {
    #expect(
      BasicCredentials(header("viewer:" + String(repeating: "x", count: 700)))?.password != nil)
    #expect(BasicCredentials(header("viewer:" + String(repeating: "x", count: 800))) == nil)
  }
}
