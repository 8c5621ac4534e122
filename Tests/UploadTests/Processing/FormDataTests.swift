import Foundation
import Testing
import TestSupport

@testable import Transfer
@testable import Upload

@Suite struct FormDataTests {
  private let files = TemporaryDirectory()

  @Test func `names cannot leave their quotes`() {
    #expect(FormData.quoted("a\"b\r\nc\u{FC}") == "a%22b%0D%0Ac\u{FC}")
  }

  @Test func `each form has a boundary of its own`() async throws {
    let delivery = try await files.delivery()
    let types = (0..<4).map { _ in FormData(delivery, .multipart).headers.map(\.value) }
    #expect(Set(types).count == 4)
    #expect(types.allSatisfy { $0[0].count == "multipart/form-data; boundary=platen-".count + 32 })
  }

  @Test func `the hash is sent once even if it is in the metadata`() async throws {
    var delivery = try await files.delivery()
    delivery.metadata = ["press": "7", "sha256": delivery.sha256]
    guard case .parts(let parts) = FormData(delivery, .multipart, boundary: "b").body,
      case .bytes(let bytes) = parts.first
    else {
      Issue.record("no parts")
      return
    }
    let head = String(decoding: bytes, as: UTF8.self)
    #expect(head.components(separatedBy: "name=\"sha256\"\r\n\r\n\(delivery.sha256)").count == 2)
    #expect(head.components(separatedBy: "name=\"press\"").count == 2)
  }

  @Test func `the file is not read before it is sent`() async throws {
    let delivery = try await files.delivery()
    guard case .parts(let parts) = FormData(delivery, .multipart, boundary: "b").body else {
      Issue.record("no parts")
      return
    }
    #expect(parts.contains(.file(path: delivery.path)))
    #expect(parts.last == .bytes(Array("\r\n--b--\r\n".utf8)))
  }
}
