import Foundation
import TestSupport
import Testing

@testable import RigConfiguration

/// The end of secrets that no text names any more.
@Suite(.timeLimit(.minutes(5))) struct SecretStoreTests {
  /// A rig's directories, with a secret of each setup under a name with the setup's number.
  private final class Rig: Sendable {
    let place: TemporaryDirectory
    let setup: Setup
    var history: String { place.path + "/platen.yaml.history" }

    init(encrypts: Bool, isUnits: Bool = true) throws {
      let directory = TemporaryDirectory()
      let path = directory.path
      var machine = SetupMachine(
        isRoot: true, isZone: { _ in true }, setZone: { _ in nil },
        encrypt: { _, secret in encrypts ? secret : nil },
        defaultConfiguration: { nil })
      machine.credentialDirectory = path + "/credentials"
      machine.configurationDirectory = isUnits ? path : "/etc/platen"
      machine.setupFiles = [path + "/boot/platen-setup.yaml"]
      // The tests' secrets have eight characters that are digits.
      machine.suffix = { String(decoding: $0, as: UTF8.self) }
      setup = Setup(configurationPath: path + "/platen.yaml", machine: machine)
      place = directory
      try FileManager.default.createDirectory(
        atPath: path + "/boot", withIntermediateDirectories: false)
      try write(SetupDocumentTests.base, to: "platen.yaml")
    }

    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: place.path + "/" + name))
    }

    func apply(_ secret: String) async -> SetupOutcome {
      let text =
        "rig: { id: r }\ntargets: { a: { kind: put, url: \"https://a/\", user: u, "
        + "password: \(secret) } }\n"
      return await setup.apply(answers: Array(text.utf8))
    }

    /// Forgets the earlier texts, as ten later changes would.
    func forgetHistory() throws { try FileManager.default.removeItem(atPath: history) }

    func secrets(_ directory: String) -> [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: place.path + "/" + directory)
      return (names ?? []).map { String($0.suffix(8)) }.sorted()
    }
  }

  @Test(arguments: [false, true])
  func `a secret ends with the last text that names it`(_ encrypts: Bool) async throws {
    let rig = try Rig(encrypts: encrypts)
    let place = encrypts ? "credentials" : "secrets"
    for secret in ["00000001", "00000002"] { #expect(await rig.apply(secret).kind == .applied) }
    #expect(rig.secrets(place) == ["00000001", "00000002"])
    if encrypts {
      try rig.write("", to: "credentials/unusable.platen.targets.b.token.00000009")
    }
    try rig.forgetHistory()
    #expect(await rig.apply("00000003").kind == .applied)
    #expect(rig.secrets(place) == ["00000002", "00000003"])
  }

  @Test(
    arguments: [
      "platen.yaml.history/good.yaml", "platen.yaml.history/000007.damaged", "trial.yaml",
      "boot/platen-setup.yaml",
    ] as [String])
  func `a text keeps the secret that it names`(_ name: String) async throws {
    let rig = try Rig(encrypts: false)
    for secret in ["00000001", "00000002"] { #expect(await rig.apply(secret).kind == .applied) }
    try rig.forgetHistory()
    try FileManager.default.createDirectory(
      atPath: rig.history, withIntermediateDirectories: false)
    try rig.write("password_file: x/platen.targets.a.password.00000001\n", to: name)
    #expect(await rig.apply("00000003").kind == .applied)
    #expect(rig.secrets("secrets") == ["00000001", "00000002", "00000003"])
  }

  @Test func `a linked text keeps the secret that it names`() async throws {
    let rig = try Rig(encrypts: false)
    for secret in ["00000001", "00000002"] { #expect(await rig.apply(secret).kind == .applied) }
    try rig.forgetHistory()
    let name = "platen.targets.a.password.00000001"
    try rig.write("password_file: x/\(name)\n", to: "boot/shared.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: rig.place.path + "/shared.yaml",
      withDestinationPath: rig.place.path + "/boot/shared.yaml")
    #expect(await rig.apply("00000003").kind == .applied)
    #expect(rig.secrets("secrets") == ["00000001", "00000002", "00000003"])
  }

  @Test func `a secret that is a link ends as a link`() async throws {
    let rig = try Rig(encrypts: false)
    #expect(await rig.apply("00000001").kind == .applied)
    try rig.write("of another", to: "boot/own")
    let own = rig.place.path + "/boot/own"
    for (digits, target) in [("00000008", own), ("00000009", own + "-gone")] {
      try FileManager.default.createSymbolicLink(
        atPath: rig.place.path + "/secrets/platen.targets.a.password." + digits,
        withDestinationPath: target)
    }
    #expect(await rig.apply("00000002").kind == .applied)
    #expect(rig.secrets("secrets") == ["00000001", "00000002"])
    #expect(try String(contentsOfFile: own, encoding: .utf8) == "of another")
  }

  @Test func `an unreadable text keeps all secrets`() async throws {
    let rig = try Rig(encrypts: false)
    for secret in ["00000001", "00000002"] { #expect(await rig.apply(secret).kind == .applied) }
    try rig.forgetHistory()
    try FileManager.default.createDirectory(
      atPath: rig.history + "/good.yaml", withIntermediateDirectories: true)
    #expect(await rig.apply("00000003").kind == .applied)
    #expect(rig.secrets("secrets") == ["00000001", "00000002", "00000003"])
  }

  @Test func `a file that no setup has made stays`() async throws {
    let rig = try Rig(encrypts: false)
    #expect(await rig.apply("00000001").kind == .applied)
    for name in ["office.00000009", "platen.office", "platen.office.0000000G"] {
      try rig.write("own", to: "secrets/" + name)
    }
    #expect(await rig.apply("00000002").kind == .applied)
    #expect(rig.secrets("secrets").count == 5)
  }

  @Test func `a configuration beside the unit's has no credentials`() async throws {
    let rig = try Rig(encrypts: true, isUnits: false)
    try FileManager.default.createDirectory(
      atPath: rig.place.path + "/credentials", withIntermediateDirectories: false)
    try rig.write("of the unit", to: "credentials/platen.targets.a.password.00000009")
    #expect(await rig.apply("00000001").kind == .applied)
    #expect(rig.secrets("secrets") == ["00000001"])
    #expect(rig.secrets("credentials") == ["00000009"])
  }

  @Test func `a setup is refused while another one runs`() async throws {
    let rig = try Rig(encrypts: false)
    let lock = try SetupLock(directory: rig.place.path)
    let refused = await rig.apply("00000001")
    #expect(refused.kind == .failed && refused.lines.last == "Nothing was changed.")
    #expect(refused.lines.joined().contains("another setup is running"))
    #expect(rig.secrets("secrets") == [])
    lock.end()
    #expect(await rig.apply("00000001").kind == .applied)
  }
}
