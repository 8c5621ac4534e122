import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RigConfiguration

/// A setup with files in a temporary directory.
@Suite(.timeLimit(.minutes(5))) struct SetupTests {
  /// A rig's directories, and the calls to its machine.
  private final class Rig: Sendable {
    let place: TemporaryDirectory
    let zones: ZoneList
    let setup: Setup
    var configuration: String { place.path + "/platen.yaml" }
    var card: String { place.path + "/platen-setup.yaml" }
    var report: String { place.path + "/platen-setup.txt" }
    var file: String { file(of: "under the: platen") }

    init(isRoot: Bool = true, encrypts: Bool = false, zoneProblem: String? = nil) throws {
      let (directory, list) = (TemporaryDirectory(), ZoneList())
      let path = directory.path
      var machine = SetupMachine(
        isRoot: isRoot, isZone: { $0 == "Europe/Paris" },
        setZone: { zone in
          list.names.withLock { $0.append(zone) }
          return zoneProblem
        },
        encrypt: { name, secret in
          encrypts ? Array("\(name):".utf8) + secret.reversed() : nil
        },
        defaultConfiguration: { path + "/default.yaml" })
      machine.credentialDirectory = path + "/credentials"
      machine.configurationDirectory = path
      machine.setupFiles = [path + "/platen-setup.yaml"]
      machine.suffix = { String(ConfigurationSource.hash(of: $0).prefix(8)) }
      setup = Setup(configurationPath: path + "/platen.yaml", machine: machine)
      (place, zones) = (directory, list)
      try write(SetupDocumentTests.base, to: place.path + "/default.yaml")
      try write(SetupDocumentTests.base.replacing("30 ", with: "20 "), to: configuration)
      try write(SetupDocumentTests.text, to: card)
    }

    func file(of secret: String) -> String {
      let digits = ConfigurationSource.hash(of: secret).prefix(8)
      return "\(place.path)/secrets/platen.targets.office.password.\(digits)"
    }

    func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    func text(_ path: String) -> String {
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  private final class ZoneList: Sendable {
    let names = Mutex<[String]>([])
  }

  @Test func `a file becomes settings, secrets and a time zone, and is applied once`() async throws
  {
    let rig = try Rig()
    let outcome = await rig.setup.apply(file: rig.card)
    #expect(outcome.kind == .applied, "\(outcome.lines)")
    #expect(rig.zones.names.withLock { $0 } == ["Europe/Paris"])
    let text = rig.text(rig.configuration)
    // The board's own configuration is below, and not what was changed by hand.
    #expect(text.contains("id: scanner-7") && text.contains("frame_rate: 25"))
    #expect(text.contains("password_file: \"\(rig.file)\""))
    #expect(rig.text(rig.file) == "under the: platen")
    #expect(FileOwner(of: rig.file)?.permissions == 0o640)
    #expect(rig.text(rig.card).contains("password_file:"))
    #expect(!(rig.text(rig.card) + text + outcome.lines.joined()).contains("under the"))
    #expect(rig.text(rig.report) == outcome.lines.map { $0 + "\n" }.joined())
    #expect(rig.text(rig.configuration + ".history/000001.yaml").contains("frame_rate: 20"))

    try rig.write(text.replacing("frame_rate: 25", with: "frame_rate: 24"), to: rig.configuration)
    let again = await rig.setup.apply(file: rig.card)
    #expect(again.kind == .applied && again.lines.joined().contains("applied before"))
    #expect(rig.text(rig.configuration).contains("frame_rate: 24"))

    try rig.write(rig.text(rig.card).replacing("rate: 25", with: "rate: 23"), to: rig.card)
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    #expect(rig.text(rig.configuration).contains("frame_rate: 23"))
    #expect(rig.text(rig.configuration).contains("password_file: \"\(rig.file)\""))
  }

  @Test(
    arguments: [
      SetupDocumentTests.base + "api: { socket_group: platen-console } # the serial line\n",
      SetupDocumentTests.base + "\"api\":\n  socket_group: platen-console\n",
      "{ rig: { id: r }, board: simulated, spool: { directory: /var/lib/platen },\n"
        + "  api: { socket_group: platen-console } }\n",
      "  rig: { id: r }\n  board: simulated\n  spool: { directory: /var/lib/platen }\n"
        + "  api: { socket_group: platen-console }\n",
      SetupDocumentTests.base,
    ] as [String])
  func `an administrator's permissions stay in any layout`(_ stored: String) async throws {
    let rig = try Rig()
    try rig.write(stored, to: rig.configuration)
    let board = SetupDocumentTests.base + "api: { socket_group: staff }\n"
    try rig.write(board, to: rig.place.path + "/default.yaml")
    let outcome = await rig.setup.apply(file: rig.card)
    #expect(outcome.kind == .applied, "\(outcome.lines)")
    let text = rig.text(rig.configuration)
    let hasGroup = stored.contains("socket_group")
    #expect(text.contains("socket_group: platen-console") == hasGroup && !text.contains("staff"))
    #expect(text.contains("# the serial line") == stored.contains("# the serial line"))
    #expect(text.contains("frame_rate: 25"))
  }

  @Test func `secrets that could not be erased are erased at the next start alone`()
    async throws
  {
    let rig = try Rig()
    // A folder of that name keeps the file from being replaced.
    let obstacle = rig.place.path + "/.platen-setup.yaml.part"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    let outcome = await rig.setup.apply(file: rig.card)
    #expect(outcome.kind == .applied)
    #expect(outcome.lines.joined().contains("The secrets are still in the file."))
    #expect(rig.text(rig.card) == SetupDocumentTests.text)
    let text = rig.text(rig.configuration).replacing("rate: 25", with: "rate: 24")
    try rig.write(text, to: rig.configuration)
    let failed = await rig.setup.apply(file: rig.card)
    #expect(failed.kind == .failed)
    #expect(failed.lines.joined().contains("The secrets are still in the file."))
    #expect(rig.text(rig.report) == failed.lines.map { $0 + "\n" }.joined())
    let first = await rig.setup.finish(file: rig.card) { SetupOutcome(.applied, ["taken"]) }
    #expect(first.lines == ["taken"])
    try FileManager.default.removeItem(atPath: obstacle)
    let erased = await rig.setup.apply(file: rig.card)
    #expect(erased.kind == .applied, "\(erased.lines)")
    #expect(!rig.text(rig.card).contains("under the"))
    #expect(rig.text(rig.card).contains("password_file: \"\(rig.file)\""))
    #expect(rig.text(rig.configuration) == text)
    #expect(rig.text(rig.file) == "under the: platen")
    let second = await rig.setup.finish(file: rig.card) { SetupOutcome(.applied, ["taken"]) }
    #expect(second.lines == ["The first picture was taken before."])
    #expect(await rig.setup.apply(file: rig.card).lines.joined().contains("Nothing was changed."))
    #expect(!FileManager.default.fileExists(atPath: rig.configuration + ".setup-erased"))
  }

  @Test func `a record that cannot be read applies nothing over later settings`() async throws {
    let rig = try Rig()
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    let text = rig.text(rig.configuration).replacing("rate: 25", with: "rate: 24")
    try rig.write(text, to: rig.configuration)
    let record = rig.configuration + ".setup"
    try FileManager.default.removeItem(atPath: record)
    try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
    #expect(await rig.setup.apply(file: rig.card).kind == .failed)
    #expect(rig.text(rig.configuration) == text)
  }

  @Test func `an encrypted secret is a credential and leaves no file`() async throws {
    let rig = try Rig(encrypts: true)
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    let name = URL(fileURLWithPath: rig.file).lastPathComponent
    #expect(rig.text(rig.configuration).contains("\"credential:\(name)\""))
    let stored = rig.text(rig.place.path + "/credentials/" + name)
    #expect(stored.hasPrefix("\(name):") && stored.hasSuffix("rednu"))
    #expect(!FileManager.default.fileExists(atPath: rig.file))
  }

  @Test func `a file that was applied has one first picture, which is told beside it`() async throws
  {
    let rig = try Rig()
    func finish(_ kind: SetupOutcome.Kind, _ line: String) async -> [String] {
      await rig.setup.finish(file: rig.card) { SetupOutcome(kind, [line]) }.lines
    }
    #expect(await finish(.applied, "stored").joined().contains("was not applied"))
    let applied = await rig.setup.apply(file: rig.card).lines.map { $0 + "\n" }.joined()
    for cause in ["no camera", "too dark"] {
      #expect(await finish(.failed, cause) == [cause])
      #expect(rig.text(rig.report) == applied + "The first start with it:\n\(cause)\n")
    }
    #expect(await finish(.applied, "stored") == ["stored"])
    #expect(await finish(.applied, "again") == ["The first picture was taken before."])
    #expect(rig.text(rig.report) == applied + "The first start with it:\nstored\n")
    #expect(await rig.setup.apply(file: rig.card).lines.joined().contains("applied before"))

    try rig.write(rig.text(rig.card).replacing("rate: 25", with: "rate: 23"), to: rig.card)
    #expect(await finish(.applied, "stored").joined().contains("was not applied"))
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    #expect(!rig.text(rig.report).contains("first start"))
    #expect(await finish(.applied, "another") == ["another"])
  }

  @Test func `a new secret leaves the one that an earlier configuration names`() async throws {
    let rig = try Rig()
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    try rig.write(SetupDocumentTests.text.replacing("under the:", with: "over the:"), to: rig.card)
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    let new = rig.file(of: "over the: platen")
    #expect(rig.text(rig.configuration).contains("password_file: \"\(new)\""))
    #expect(rig.text(new) == "over the: platen" && rig.text(rig.file) == "under the: platen")
  }

  @Test func `a link to a setup file stays and the file itself loses its secrets`() async throws {
    let rig = try Rig()
    let link = rig.place.path + "/link.yaml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: rig.card)
    #expect(await rig.setup.apply(file: link).kind == .applied)
    #expect(rig.text(rig.card).contains("password_file:"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == rig.card)
  }

  @Test(arguments: [true, false])
  func `a setup that fails changes nothing`(_ isWrong: Bool) async throws {
    let rig = try Rig(zoneProblem: isWrong ? nil : "The zone was not set.")
    let text = SetupDocumentTests.text.replacing(
      "rate: 25", with: isWrong ? "rate: 250" : "rate: 24")
    try rig.write(text, to: rig.card)
    let before = rig.text(rig.configuration)
    let outcome = await rig.setup.apply(file: rig.card)
    #expect(outcome.kind == (isWrong ? .refused : .failed))
    #expect(outcome.lines.last == "Nothing was changed.")
    #expect(rig.text(rig.configuration) == before && rig.text(rig.card) == text)
    #expect(!FileManager.default.fileExists(atPath: rig.file))
    #expect(rig.text(rig.report).contains("Nothing was changed."))
  }

  @Test func `a file that is gone or no text is told`() async throws {
    let rig = try Rig()
    try Data([0xC3, 0x28]).write(to: URL(fileURLWithPath: rig.card))
    #expect(
      await rig.setup.apply(file: rig.card).lines == [
        "\"\(rig.card)\" is neither UTF-8 nor UTF-16."
      ])
    let outcome = await rig.setup.apply(file: rig.card + ".gone")
    #expect(outcome.lines == ["\"\(rig.card).gone\" cannot be read: it is not there."])
  }

  @Test func `a file of another system is read`() async throws {
    let rig = try Rig()
    let units = Array(("\u{FEFF}" + SetupDocumentTests.text).utf16)
    try Data(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      .write(to: URL(fileURLWithPath: rig.card))
    #expect(await rig.setup.apply(file: rig.card).kind == .applied)
    #expect(rig.text(rig.card).contains("id: scanner-7"))
  }

  @Test func `answers change the present configuration`() async throws {
    let rig = try Rig(isRoot: false)
    let text =
      "rig: { id: scanner-8 }\ntargets: { office: { kind: put, url: \"https://a/\", "
      + "user: u, password: p-q } }\n"
    let outcome = await rig.setup.apply(answers: Array(text.utf8))
    #expect(outcome.kind == .applied, "\(outcome.lines)")
    #expect(rig.text(rig.configuration).contains("frame_rate: 20"))
    #expect(rig.text(rig.configuration).contains("id: scanner-8"))
    #expect(rig.text(rig.file(of: "p-q")) == "p-q")
  }

  @Test(arguments: ["api: { socket: /tmp/s }", "spool: { directory: /tmp }"])
  func `a caller without root cannot set what only root may`(_ keys: String) async throws {
    let rig = try Rig(isRoot: false)
    let before = rig.text(rig.configuration)
    let outcome = await rig.setup.apply(answers: Array("rig: { id: r }\n\(keys)\n".utf8))
    #expect(outcome.kind == .failed && outcome.lines.joined().contains("sudo platenctl setup"))
    #expect(rig.text(rig.configuration) == before)
  }

  @Test(arguments: [true, false])
  func `a wrong file lets nobody set what only root may`(_ hasGoodText: Bool) async throws {
    let rig = try Rig(isRoot: false)
    if hasGoodText {
      let history = rig.configuration + ".history"
      try FileManager.default.createDirectory(atPath: history, withIntermediateDirectories: false)
      let good = SetupDocumentTests.base.replacing("30 ", with: "21 ")
      try rig.write(good, to: history + "/good.yaml")
    }
    try rig.write("rig: {", to: rig.configuration)
    let refused = await rig.setup.apply(
      answers: Array("rig: { id: r }\napi: { socket: /tmp/s }\n".utf8))
    #expect(refused.kind == .failed && refused.lines.joined().contains("sudo platenctl setup"))
    #expect(rig.text(rig.configuration) == "rig: {")
    let outcome = await rig.setup.apply(answers: Array("rig: { id: scanner-8 }\n".utf8))
    #expect(outcome.kind == .applied, "\(outcome.lines)")
    #expect(rig.text(rig.configuration).contains("frame_rate: \(hasGoodText ? 21 : 30)"))
  }

  @Test(
    .enabled(if: geteuid() == 0),
    arguments: ["platen.yaml", "platen.yaml.history", "platen.yaml.setup", "secrets"])
  func `root writes through no link that another account may have made`(
    _ name: String
  ) async throws {
    let rig = try Rig()
    let (link, target) = (rig.place.path + "/" + name, rig.place.path + "/target")
    if name == "platen.yaml" {
      try FileManager.default.moveItem(atPath: link, toPath: target)
    } else {
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let before = rig.text(rig.configuration)
    #expect(chmod(rig.place.path, 0o775) == 0)
    let outcome = await rig.setup.apply(file: rig.card)
    #expect(outcome.kind == .failed && outcome.lines.last == "Nothing was changed.")
    #expect(outcome.lines.joined().contains("\"\(link)\""), "\(outcome.lines)")
    #expect(rig.zones.names.withLock { $0 }.isEmpty && rig.text(rig.configuration) == before)
    #expect(rig.text(rig.card) == SetupDocumentTests.text)
  }

  @Test func `a link in place of the directory of secrets is refused`() async throws {
    let rig = try Rig()
    try FileManager.default.createSymbolicLink(
      atPath: rig.place.path + "/secrets", withDestinationPath: rig.place.path)
    let outcome = await rig.setup.apply(file: rig.card)
    #expect(outcome.kind == .failed && outcome.lines.joined().contains("secrets"))
    #expect(rig.text(rig.configuration).contains("frame_rate: 20"))
  }

  @Test func `the last good text takes the place of a wrong file`() throws {
    let rig = try Rig()
    #expect(PlatenConfiguration.lastGood(of: rig.configuration) == nil)
    let history = rig.configuration + ".history"
    try FileManager.default.createDirectory(
      atPath: history, withIntermediateDirectories: false)
    try rig.write(SetupDocumentTests.base, to: history + "/good.yaml")
    try rig.write("rig: {", to: rig.configuration)
    let good = try #require(PlatenConfiguration.lastGood(of: rig.configuration))
    #expect(good.rigID == "rig-1" && good.source?.path == rig.configuration)
    #expect(good.source?.hash == ConfigurationSource.hash(of: SetupDocumentTests.base))
    try rig.write("rig: {", to: history + "/good.yaml")
    #expect(PlatenConfiguration.lastGood(of: rig.configuration) == nil)
  }
}
