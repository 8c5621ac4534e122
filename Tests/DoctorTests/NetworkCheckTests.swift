import API
import RigConfiguration
import Testing

@testable import Doctor

@Suite struct NetworkCheckTests {
  /// A configured use of a rig, and whether that use needs the network.
  struct Use: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let isNeeded: Bool

    var testDescription: String { name }
  }

  private static let drive = "  drive: { kind: directory, path: /media/drive }\n"
  private static let server = "  archive: { kind: webdav, url: \"https://pages.example/dav/\" }\n"
  private static let tokens =
    "{ web: { hash: \"sha256:\(String(repeating: "ab", count: 32))\", allow: read } }"
  private static let loopback =
    "api: { tcp: { address: 127.0.0.1, port: 8080, tokens: \(tokens) } }\n"
  private static let tcp =
    "api: { tcp: { address: 192.0.2.7, port: 8080, tokens: \(tokens), "
    + "network: trusted } }\n"

  static let uses = [
    Use(name: "no target", text: "", isNeeded: false),
    Use(name: "a drive", text: "targets:\n" + drive, isNeeded: false),
    Use(name: "a server", text: "targets:\n" + server, isNeeded: true),
    Use(name: "a drive and a server", text: "targets:\n" + drive + server, isNeeded: true),
    Use(name: "API over loopback", text: loopback, isNeeded: false),
    Use(name: "API over TCP", text: tcp, isNeeded: true),
    Use(name: "a drive, and the API over TCP", text: "targets:\n" + drive + tcp, isNeeded: true),
  ]

  /// A missing part of the network, and the code for it.
  struct Missing: Sendable, CustomTestStringConvertible {
    let code: String
    let plant: @Sendable (inout DoctorEvidence, FakeMachine) throws -> Void

    var testDescription: String { code }
  }

  static let missing = [
    Missing(code: "noCarrier") { _, machine in
      try machine.write("0", to: "/sys/class/net/eth0/carrier")
    },
    Missing(code: "noCarrier") { _, machine in try machine.remove("/sys/class/net/eth0") },
    Missing(code: "noAddress") { evidence, _ in
      evidence.addresses = { ["eth0": ["169.254.3.4"]] }
    },
    Missing(code: "noDefaultRoute") { _, machine in
      try machine.write("Iface\tDestination\n", to: "/proc/net/route")
    },
    Missing(code: "noNameServer") { _, machine in
      try machine.write("# none\n", to: "/etc/resolv.conf")
    },
    Missing(code: "nameServerSilent") { evidence, _ in
      evidence.askNameServer = { _ in NameServerProbe.Answer(problem: "does not answer") }
    },
  ]

  private func configuration(_ use: Use) throws -> PlatenConfiguration {
    let text = "rig: { id: rig-1 }\nboard: linux\nspool: { directory: /var/lib/platen }\n"
    return try PlatenConfiguration.parse(text + use.text, file: "platen.yaml")
  }

  @Test(arguments: uses) func `the need for the network follows from the configuration`(_ use: Use)
    throws
  {
    #expect(try configuration(use).usesNetwork == use.isNeeded)
  }

  @Test(arguments: uses, missing)
  func `a rig that needs no network is only warned`(_ use: Use, _ missing: Missing) async throws {
    let machine = try FakeMachine()
    var evidence = try machine.evidence(isServiceRunning: true)
    evidence.configuration = try configuration(use)
    try missing.plant(&evidence, machine)
    let found = await evidence.check(of: .network).findings().filter { $0.code != nil }
    #expect(found.map(\.code) == [missing.code])
    #expect(found.map(\.verdict) == [use.isNeeded ? .fault : .warning])
  }

  @Test func `a missing network is a fault if there is no configuration`() async throws {
    let machine = try FakeMachine()
    var evidence = try machine.evidence(isServiceRunning: false)
    evidence.configuration = nil
    try machine.write("0", to: "/sys/class/net/eth0/carrier")
    let found = await evidence.check(of: .network).findings()
    #expect(found.map(\.verdict) == [.fault])
  }
}
