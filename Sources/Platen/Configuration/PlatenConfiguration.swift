import Capture
package import Devices
import Foundation
package import Logging

/// The contents of a configuration file.
///
/// | section or key | meaning | default |
/// |---|---|---|
/// | `rig.id` | the rig's name: 1 to 64 of `A-Z a-z 0-9 _ -` | required |
/// | `rig.make`, `rig.model` | maker and model in EXIF | `Platen`, `Scanning rig` |
/// | `board` | `linux` or `simulated` | required |
/// | `camera` | ``CameraSection`` | its defaults |
/// | `cameras` | ``CamerasSection`` | the camera of the section `camera` |
/// | `shutter` | ``ButtonSection`` in its short form; excludes `buttons` | no button: presses come over the API |
/// | `buttons` | a ``ButtonSection`` for each name | no button |
/// | `accelerometer` | ``AccelerometerSection`` | none: pictures keep the mounting angle |
/// | `indicators` | ``IndicatorSection`` | none |
/// | `lamp` | ``LampSection`` | none to switch |
/// | `thermal` | ``ThermalSection`` | no zones |
/// | `power` | ``PowerSection`` | its defaults |
/// | `image` | ``ImageSection`` | its defaults |
/// | `duplicates` | ``DuplicatesSection`` | its defaults |
/// | `spool` | ``SpoolSection`` | required |
/// | `ledger` | ``LedgerSection`` | its defaults |
/// | `targets` | a ``TargetSection`` for each name | none: pictures stay in the spool |
/// | `api` | ``APISection`` | its defaults |
/// | `log.level` | `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical` | `info` |
/// | `simulation.seed` | the seed of the simulated board's noise; only with that board | 1 |
package struct PlatenConfiguration: Sendable, Hashable {
  /// The kinds of boards.
  package enum BoardKind: String, Sendable, Hashable, CaseIterable {
    /// The kernel's devices.
    case linux
    /// Simulated devices.
    case simulated
  }

  /// The rig's name.
  package var rigID: String
  /// The maker in EXIF (Make).
  package var make = "Platen"
  /// The model in EXIF (Model).
  package var model = "Scanning rig"
  /// The kind of board.
  package var board: BoardKind
  /// The camera.
  package var camera = CameraSection()
  /// Several cameras; `nil` when there is only the camera of ``camera``.
  package var cameras: CamerasSection?
  /// The buttons, in the order of the file.
  package var buttons: [ButtonSection] = []
  /// The accelerometer; `nil` for none.
  package var accelerometer: AccelerometerSection?
  /// The lights.
  package var indicators: [IndicatorRole: IndicatorSection] = [:]
  /// The lamp that lights the pages; `nil` without a switched lamp.
  package var lamp: LampSection?
  /// The temperatures.
  package var thermal = ThermalSection()
  /// The power supply, and the method that powers the machine off.
  package var power = PowerSection()
  /// The files of a capture.
  package var image = ImageSection()
  /// The marking of near duplicates.
  package var duplicates = DuplicatesSection()
  /// The spool.
  package var spool: SpoolSection
  /// The ledger of presses.
  package var ledger = LedgerSection()
  /// The targets of the pictures; empty without uploads.
  package var targets: [TargetSection] = []
  /// The addresses of the API, and its permitted users.
  package var api = APISection()
  /// The least severe messages that are logged.
  package var logLevel = Logger.Level.info
  /// The seed of the simulated board's noise.
  package var simulationSeed: UInt64 = 1
  /// The file that the configuration was read from; `nil` for a text.
  package var source: ConfigurationSource?

  /// Reads a file.
  ///
  /// - Throws: ``ConfigurationErrors`` with all errors of the file.
  package static func load(path: String) throws(ConfigurationErrors) -> PlatenConfiguration {
    let text: String
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      let data = try handle.read(upToCount: ConfigurationReader.maximumBytes + 1) ?? Data()
      guard let decoded = WrittenText.text(of: data) else {
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
    var configuration = try parse(text, file: path)
    configuration.source = ConfigurationSource(path: path, text: text)
    return configuration
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the YAML.
  ///   - file: the file's name for the messages.
  /// - Throws: ``ConfigurationErrors`` with all errors of the text.
  package static func parse(
    _ text: String, file: String
  ) throws(ConfigurationErrors) -> PlatenConfiguration {
    let reader = ConfigurationReader(file: file)
    let configuration = reader.root(of: text).flatMap { PlatenConfiguration($0) }
    if let configuration, reader.issues.isEmpty { return configuration }
    var issues = reader.issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    if issues.isEmpty {
      issues = [
        ConfigurationIssue(file: file, line: 1, column: 1, key: "", problem: "cannot be used")
      ]
    }
    if reader.isFull, let last = issues.last {
      issues.append(
        ConfigurationIssue(
          file: file, line: last.line, column: last.column, key: "",
          problem: "more is wrong than these \(issues.count) things; mend them and look again"))
    }
    throw ConfigurationErrors(issues: issues)
  }

  /// Returns every key that is looked for in a text, with its sections, even if it is absent.
  static func keysLookedFor(in text: String) -> Set<String> {
    let reader = ConfigurationReader(file: "")
    _ = reader.root(of: text).flatMap { PlatenConfiguration($0) }
    return reader.askedKeys
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
    if let section = root.section("camera") {
      camera = CameraSection(section)
      if board == .simulated, camera.process == .separate {
        section.note(
          "goes with \"board: linux\" only: the simulated camera sees the world that the other "
            + "simulated devices are in, and that is in the service's process", at: "process")
      }
    }
    cameras = PlatenConfiguration.cameras(root, standby: camera.standby)
    lamp = root.section("lamp").flatMap { LampSection($0) }
    buttons = PlatenConfiguration.buttons(root)
    accelerometer = root.section("accelerometer").flatMap { AccelerometerSection($0) }
    indicators = root.section("indicators").map { IndicatorSection.read($0) } ?? indicators
    WiringTable.refuseSharedWires(buttons, indicators, lamp, root)
    power = root.section("power").map { PowerSection($0) } ?? power
    PlatenConfiguration.refuseReboot(camera.recovery, without: power, root)
    PlatenConfiguration.refuseHold(buttons, without: power, root)
    thermal = root.section("thermal").map { ThermalSection($0) } ?? thermal
    image = root.section("image").map { ImageSection($0) } ?? image
    duplicates = root.section("duplicates").map { DuplicatesSection($0) } ?? duplicates
    let spool = root.section("spool").flatMap { SpoolSection($0) }
    ledger = root.section("ledger").map { LedgerSection($0) } ?? ledger
    targets = root.section("targets").map { TargetSection.read($0) } ?? targets
    if board == .linux { PlatenConfiguration.refuseHidden(targets, spool, root) }
    api = root.section("api").map { APISection($0) } ?? api
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

  /// Reads `cameras`, and compares it with `camera`.
  private static func cameras(
    _ root: ConfigurationMapping, standby: CameraRole?
  ) -> CamerasSection? {
    var cameras: CamerasSection?
    if let section = root.section("cameras") {
      cameras = CamerasSection(section)
      for key in ["id", "position"] {
        guard root.isSection("camera"), let camera = root.section("camera"), camera.has(key)
        else { continue }
        camera.note("excludes the section \"cameras\"; name the camera there", at: key)
      }
    }
    guard let standby, let section = root.section("camera") else { return cameras }
    let roles = cameras?.entries.map(\.role) ?? []
    if !roles.contains(standby) {
      let names = roles.map(\.rawValue).joined(separator: ", ")
      section.note(
        "\"\(standby)\" is not among the roles of \"cameras\""
          + (names.isEmpty ? "" : ", which are \(names)"), at: "standby")
    } else if standby == cameras?.first {
      section.note("is used at the start already; expected another role", at: "standby")
    }
    return cameras
  }

  /// Reads `shutter` or `buttons`, which exclude each other.
  private static func buttons(_ root: ConfigurationMapping) -> [ButtonSection] {
    let shutter = root.section("shutter").flatMap { ButtonSection(shutter: $0) }
    let buttons = root.section("buttons").map { ButtonSection.read($0) }
    if root.has("shutter"), root.has("buttons") {
      root.note("is the short form of \"buttons\"; keep one of the two", at: "shutter")
    }
    return buttons ?? shutter.map { [$0] } ?? []
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
