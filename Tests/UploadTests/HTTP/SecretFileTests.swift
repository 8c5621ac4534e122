import Foundation
import TestSupport
import Testing

@testable import Upload

@Suite struct SecretFileTests {
  private let files = TemporaryDirectory()

  private func file(_ bytes: [UInt8]) throws -> SecretFile {
    try Data(bytes).write(to: URL(fileURLWithPath: files.path + "/secret"))
    return SecretFile(path: files.path + "/secret")
  }

  /// The files are from editors and shells of other systems; white space may be in a password.
  @Test(
    arguments: [
      Array("pass ".utf8), Array("pass \r\n\r\n".utf8),
      [0xEF, 0xBB, 0xBF, 0x70, 0x61, 0x73, 0x73, 0x20, 0x0A],
      [0xFF, 0xFE, 0x70, 0, 0x61, 0, 0x73, 0, 0x73, 0, 0x20, 0, 0x0D, 0, 0x0A, 0],
    ] as [[UInt8]])
  func `a secret is read in the encodings of all systems`(bytes: [UInt8]) throws {
    #expect(try file(bytes).read() == "pass ")
  }

  @Test(
    arguments: [
      [], Array("\r\n".utf8), [0x61, 0xFF], [UInt8](repeating: 0x61, count: 4097),
    ] as [[UInt8]])
  func `an unusable secret is reported without its content`(bytes: [UInt8]) throws {
    let secret = try file(bytes)
    let failure = try #require(throws: DeliveryFailure.self) { try secret.read() }
    #expect(failure.code == .unauthorized && failure.text.contains(secret.path))
    #expect(!failure.text.contains("aaa"))
  }

  @Test(arguments: ["/run/credentials/absent.service", "/nonexistent"])
  func `the failure of an absent credential names the unit that decrypts it`(
    _ directory: String
  ) throws {
    let secret = SecretFile(path: directory + "/office")
    let failure = try #require(throws: DeliveryFailure.self) { try secret.read() }
    #expect(failure.code == .unauthorized && failure.text.contains("No such file"))
    #expect(
      failure.text.contains("--unit=platen-credentials") == directory.hasPrefix("/run/credentials"))
  }
}
