import Foundation
import Settings
import TestSupport
import Testing

@testable import RigConfiguration

/// Starts with a text that the reader accepts and that ends the service.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationTrialTests {
  private static let good = """
    rig: { id: good }
    board: simulated
    spool: { directory: /var/lib/platen }

    """
  private static let new = good.replacing("good", with: "new")

  /// A configuration file, whose last good text is another one.
  private struct Rig {
    let place = TemporaryDirectory()
    var path: String { place.path + "/platen.yaml" }
    var record: String { path + ".history/starts.json" }

    init(good: String? = ConfigurationTrialTests.good) throws {
      try write(ConfigurationTrialTests.new, to: path)
      guard let good else { return }
      try FileManager.default.createDirectory(
        atPath: path + ".history", withIntermediateDirectories: false)
      try write(good, to: path + ".history/good.yaml")
    }

    func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Starts as the service does; returns the name in the configuration that runs.
    func start(bootID: String = "a") throws -> String {
      let file = try PlatenConfiguration.load(path: path)
      return ConfigurationTrial(of: path).begin(file, bootID: bootID)?.0.rigID ?? file.rigID
    }
  }

  @Test func `after three starts that ended badly the last good text runs`() throws {
    let rig = try Rig()
    let starts = try (0..<9).map { _ in try rig.start() }
    #expect(starts.map { $0 == "good" } == (0..<9).map { (3..<6).contains($0) })
  }

  @Test func `the reason names the file`() throws {
    let rig = try Rig()
    for _ in 0..<3 { _ = try rig.start() }
    let file = try PlatenConfiguration.load(path: rig.path)
    let (good, reason) = try #require(ConfigurationTrial(of: rig.path).begin(file, bootID: "a"))
    #expect(reason.description.hasPrefix("\(rig.path):1:1: the service has ended 3 times"))
    #expect(good.source?.path == rig.path && good.source?.hash != file.source?.hash)
    let hash = try #require(file.source?.hash)
    #expect(ConfigurationTrial(of: rig.path).hasFailed(hash: hash))
    #expect(!ConfigurationTrial(of: rig.path).hasFailed(hash: good.source?.hash ?? ""))
    let replacement = ConfigurationTrial(of: rig.path).replacement(of: file)
    #expect(replacement?.source?.hash == good.source?.hash && replacement?.source?.hash != hash)
    #expect(ConfigurationTrial(of: rig.path).replacement(of: good) == nil)
  }

  @Test func `an end in order, another boot and another text begin anew`() throws {
    let rig = try Rig()
    for _ in 0..<3 { #expect(try rig.start() == "new") }
    ConfigurationTrial(of: rig.path).end()
    for _ in 0..<3 { #expect(try rig.start() == "new") }
    for _ in 0..<3 { #expect(try rig.start(bootID: "b") == "new") }
    try rig.write(Self.new.replacing("new", with: "newer"), to: rig.path)
    for _ in 0..<3 { #expect(try rig.start(bootID: "b") == "newer") }
    #expect(try rig.start(bootID: "b") == "good")
  }

  @Test(arguments: [nil, new, "rig: {"] as [String?])
  func `without another good text the file runs`(_ good: String?) throws {
    let rig = try Rig(good: good)
    for _ in 0..<7 { #expect(try rig.start() == "new") }
  }

  @Test func `a text that is the last good one writes nothing`() throws {
    let rig = try Rig(good: Self.new)
    _ = try rig.start()
    #expect(!FileManager.default.fileExists(atPath: rig.record))
  }

  @Test(arguments: ["", "{}", "{\"hash\":\"\",\"bootID\":\"\",\"starts\":-9}"])
  func `a damaged record is begun anew`(_ text: String) throws {
    let rig = try Rig()
    try rig.write(text, to: rig.record)
    for _ in 0..<3 { #expect(try rig.start() == "new") }
    #expect(try rig.start() == "good")
  }
}
