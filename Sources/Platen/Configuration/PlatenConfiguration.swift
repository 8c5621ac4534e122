public import Devices
import Foundation
public import Logging

/// Everything that a configuration file says.
///
/// | section or key | what | default |
/// |---|---|---|
/// | `rig.id` | the rig's name: 1 to 64 of `A-Z a-z 0-9 _ -` | required |
/// | `rig.make`, `rig.model` | what EXIF names as maker and model | `Platen`, `Scanning rig` |
/// | `board` | `linux` or `simulated` | required |
/// | `camera` | ``CameraSection`` | its defaults |
/// | `shutter` | ``ShutterSection`` | no button: presses come over the API |
/// | `accelerometer` | ``AccelerometerSection`` | none: pictures keep the mounting angle |
/// | `indicators` | ``IndicatorSection`` | none |
/// | `thermal` | ``ThermalSection`` | no zones |
/// | `image.quality` | JPEG quality, 1 to 100 | 90 |
/// | `duplicates` | ``DuplicatesSection`` | its defaults |
/// | `spool` | ``SpoolSection`` | required |
/// | `targets` | a ``TargetSection`` for each name | none: pictures stay in the spool |
/// | `api.socket`, `api.socket_group` | the API's Unix socket and its group | `/run/platen/platend.sock`, none |
/// | `log.level` | `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical` | `info` |
/// | `simulation.seed` | what the simulated board's noise is computed from; only with it | 1 |
public struct PlatenConfiguration: Sendable, Hashable {
  /// Which devices to use.
  public enum BoardKind: String, Sendable, Hashable, CaseIterable {
    /// The kernel's.
    case linux
    /// Simulated ones.
    case simulated
  }

  /// The rig's name.
  public var rigID: String
  /// EXIF's Make.
  public var make = "Platen"
  /// EXIF's Model.
  public var model = "Scanning rig"
  /// Which devices to use.
  public var board: BoardKind
  /// The camera.
  public var camera = CameraSection()
  /// The button; `nil` for none.
  public var shutter: ShutterSection?
  /// The accelerometer; `nil` for none.
  public var accelerometer: AccelerometerSection?
  /// The lights.
  public var indicators: [IndicatorRole: IndicatorSection] = [:]
  /// The temperatures.
  public var thermal = ThermalSection()
  /// JPEG quality, 1 to 100.
  public var imageQuality = 90
  /// Near duplicates.
  public var duplicates = DuplicatesSection()
  /// The spool.
  public var spool: SpoolSection
  /// Where pictures go; empty for nowhere.
  public var targets: [TargetSection] = []
  /// The API's Unix socket.
  public var apiSocket = "/run/platen/platend.sock"
  /// The group that may use the socket; `nil` leaves the service's own.
  public var apiSocketGroup: String?
  /// The least severe messages that are logged.
  public var logLevel = Logger.Level.info
  /// What the simulated board's noise is computed from.
  public var simulationSeed: UInt64 = 1

  /// Reads a file.
  ///
  /// - Throws: ``ConfigurationErrors`` with everything that is wrong in it.
  public static func load(path: String) throws(ConfigurationErrors) -> PlatenConfiguration {
    let text: String
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      let data = try handle.read(upToCount: ConfigurationReader.maximumBytes + 1) ?? Data()
      guard let decoded = String(data: data, encoding: .utf8) else {
        throw CocoaError(.fileReadInapplicableStringEncoding)
      }
      text = decoded
    } catch {
      let cause = (error as NSError).localizedDescription
      throw ConfigurationErrors(issues: [
        ConfigurationIssue(
          file: path, line: 1, column: 1, key: "", problem: "the file cannot be read: \(cause)")
      ])
    }
    return try parse(text, file: path)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the YAML.
  ///   - file: the file's name for the messages.
  /// - Throws: ``ConfigurationErrors`` with everything that is wrong in it.
  public static func parse(
    _ text: String, file: String
  ) throws(ConfigurationErrors) -> PlatenConfiguration {
    let reader = ConfigurationReader(file: file)
    let configuration = reader.root(of: text).flatMap { PlatenConfiguration($0) }
    if let configuration, reader.issues.isEmpty { return configuration }
    var issues = reader.issues
    if issues.isEmpty {
      issues = [
        ConfigurationIssue(file: file, line: 1, column: 1, key: "", problem: "cannot be used")
      ]
    }
    throw ConfigurationErrors(issues: issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
  }

  private init?(_ root: ConfigurationMapping) {
    root.require("rig", "a section with the key \"id\"")
    root.require("board", "linux or simulated")
    root.require("spool", "a section with the key \"directory\"")
    let rig = root.section("rig")
    let rigID = rig.flatMap { PlatenConfiguration.rigID($0) }
    make = rig?.text("make") ?? make
    model = rig?.text("model") ?? model
    rig?.refuseUnknownKeys()
    let board = root.word("board", BoardKind.self)
    camera = root.section("camera").map { CameraSection($0) } ?? camera
    shutter = root.section("shutter").flatMap { ShutterSection($0) }
    accelerometer = root.section("accelerometer").flatMap { AccelerometerSection($0) }
    indicators = root.section("indicators").map { IndicatorSection.read($0) } ?? indicators
    thermal = root.section("thermal").map { ThermalSection($0) } ?? thermal
    if let image = root.section("image") {
      imageQuality = image.integer("quality", in: 1...100) ?? imageQuality
      image.refuseUnknownKeys()
    }
    duplicates = root.section("duplicates").map { DuplicatesSection($0) } ?? duplicates
    let spool = root.section("spool").flatMap { SpoolSection($0) }
    targets = root.section("targets").map { TargetSection.read($0) } ?? targets
    if let api = root.section("api") {
      apiSocket = api.path("socket") ?? apiSocket
      apiSocketGroup = api.text("socket_group")
      if apiSocket.utf8.count > 107 {
        api.note("is longer than the 107 bytes of a Unix socket's path", at: "socket")
      }
      api.refuseUnknownKeys()
    }
    if let log = root.section("log") {
      logLevel = log.word("level", Logger.Level.self) ?? logLevel
      log.refuseUnknownKeys()
    }
    if let simulation = root.section("simulation") {
      if board == .linux { root.note("goes with \"board: simulated\" only", at: "simulation") }
      simulationSeed = simulation.integer("seed", in: 0...Int.max).map(UInt64.init) ?? 1
      simulation.refuseUnknownKeys()
    }
    root.refuseUnknownKeys()
    guard let rigID, let board, let spool else { return nil }
    self.rigID = rigID
    self.board = board
    self.spool = spool
  }

  private static func rigID(_ rig: ConfigurationMapping) -> String? {
    rig.require("id", "the rig's name")
    return rig.value("id", expected: "1 to 64 of the characters A-Z a-z 0-9 _ -") { text in
      let isValid = text.utf8.allSatisfy { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
      return isValid && (1...64).contains(text.utf8.count) ? text : nil
    }
  }
}
