import Foundation
import TestSupport
import Testing

/// The script of the unit `platen-credentials`, with a stand-in for `systemd-creds`.
@Suite(.timeLimit(.minutes(5))) struct CredentialCheckTests {
  private let store = TemporaryDirectory()

  /// Runs the script with a machine that can decrypt some of the credentials.
  private func check(decryptable names: String...) async throws -> String {
    // systemd-creds decrypt --name=NAME FILE -
    let program = try ScriptedProgram(
      name: "systemd-creds",
      """
      for name in \(names.joined(separator: " ")); do
        if [ "$2" = "--name=$name" ]; then exit 0; fi
      done
      echo "no key" >&2
      exit 1
      """)
    let folder = URL(fileURLWithPath: program.path).deletingLastPathComponent().path
    let script = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../systemd/platen.credentials.sh").standardized.path
    let tool = try await Tool.run(
      "/bin/sh", [script, store.path],
      environment: ["PATH": folder + ":/usr/sbin:/usr/bin:/sbin:/bin"])
    withExtendedLifetime(program) {}
    #expect(tool.exitCode == 0 && tool.complaint.isEmpty, "\(tool.complaint)")
    return tool.output
  }

  private func write(_ names: String...) throws {
    for name in names {
      try Data("secret".utf8).write(to: URL(fileURLWithPath: store.path + "/" + name))
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.path).sorted()
  }

  @Test func `what cannot be decrypted is put aside until it can be`() async throws {
    try write("platen.a", "platen.b", "other")
    let told = try await check(decryptable: "platen.a")
    #expect(told.contains("\"platen.b\"") && told.contains("no key") && !told.contains("platen.a"))
    #expect(try names() == ["other", "platen.a", "unusable.platen.b"])
    #expect(try await check(decryptable: "platen.a").contains("\"platen.b\""))
    #expect(try await check(decryptable: "platen.a", "platen.b").isEmpty)
    #expect(try names() == ["other", "platen.a", "platen.b"])
  }

  @Test func `an empty folder is in order`() async throws {
    #expect(try await check(decryptable: "platen.a").isEmpty)
    #expect(try names() == [])
  }
}
