import Capture
package import Devices
import Foundation
package import Imaging
package import Logging
package import Settings
package import Spool

/// The contents of a configuration file; ``settings`` declares its keys.
package struct PlatenConfiguration: SettingsPart {
  /// The kinds of boards.
  package enum BoardKind: String, Sendable, Hashable, CaseIterable {
    /// The kernel's devices.
    case linux
    /// Simulated devices.
    case simulated
  }

  /// The rig's name.
  package var rigID = ""
  /// The maker in EXIF (Make).
  package var make = "Platen"
  /// The model in EXIF (Model).
  package var model = "Scanning rig"
  /// The kind of board.
  package var board = BoardKind.linux
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
  /// The lamps of brackets, each lit alone, in the order of the file.
  package var lamps: [StepLamp] = []
  /// The temperatures.
  package var thermal = ThermalSection()
  /// The power supply, and the method that powers the machine off.
  package var power = PowerSection()
  /// The files of a capture.
  package var image = ImageSection()
  /// The reading of each picture's page.
  package var page = PageSection()
  /// The marking of near duplicates.
  package var duplicates = NearDuplicates.Configuration()
  /// Pictures of pages without a press.
  package var handsFree = HandsFreeSection()
  /// The recordings.
  package var movie = MovieSection()
  /// The spool.
  package var spool = SpoolConfiguration(directory: "", rigID: "")
  /// The targets of the pictures; empty without uploads.
  package var targets: [TargetSection] = []
  /// The addresses of the API, and its permitted users.
  package var api = APISection()
  /// The least severe messages that are logged.
  package var logLevel = Logger.Level.info
  /// The scene before the simulated cameras, and their noise.
  package var simulation = SimulationSection()
  /// The file that the configuration was read from; `nil` for a text.
  package var source: ConfigurationSource?
  /// The keys that the text has under their names of an earlier version.
  package var movedKeys: [MovedKey] = []

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
    let found = SettingsIssues(file: file)
    return try read(ConfigurationReader.root(of: text, found), found)
  }

  /// Reads the outermost section.
  ///
  /// - Parameters:
  ///   - root: the section; `nil` for a text that has none.
  ///   - found: the issues so far, to which the reader adds its own.
  /// - Throws: ``ConfigurationErrors`` with all issues, in the order of their lines.
  static func read(
    _ root: SettingsSection?, _ found: SettingsIssues
  ) throws(ConfigurationErrors) -> PlatenConfiguration {
    if var configuration = root.map({ PlatenConfiguration($0) }), found.issues.isEmpty {
      configuration.movedKeys = found.movedKeys
      return configuration
    }
    var issues = found.issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    if issues.isEmpty {
      issues = [
        ConfigurationIssue(file: found.file, line: 1, column: 1, key: "", problem: "cannot be used")
      ]
    }
    if found.isFull, let last = issues.last {
      issues.append(
        ConfigurationIssue(
          file: found.file, line: last.line, column: last.column, key: "",
          problem: "more is wrong than these \(issues.count) things; mend them and look again"))
    }
    throw ConfigurationErrors(issues: issues)
  }

  /// Reads the last good text of a file, for a start while the file itself cannot be used.
  ///
  /// - Returns: the configuration, whose ``source`` is the file with another hash; `nil` when there
  ///   is no such text, or it cannot be used.
  package static func lastGood(of path: String) -> PlatenConfiguration? {
    guard let text = goodText(of: path),
      var configuration = try? parse(text, file: goodFile(of: path).path)
    else { return nil }
    configuration.source = ConfigurationSource(path: path, text: text)
    return configuration
  }

  /// Reads the last good text of a file; `nil` when there is none.
  static func goodText(of path: String) -> String? {
    (try? goodFile(of: path).read()).flatMap { WrittenText.text(of: $0) }
  }

  private static func goodFile(of path: String) -> DurableFile {
    DurableFile(
      directory: ConfigurationStore(path: path).history, name: ConfigurationStore.goodName)
  }

  /// Returns every key that is looked for in a text, with its sections, even if it is absent.
  static func keysLookedFor(in text: String) -> Set<String> {
    let issues = SettingsIssues(file: "")
    _ = ConfigurationReader.root(of: text, issues).map { PlatenConfiguration($0) }
    return issues.askedKeys
  }

  /// Makes a configuration without the keys that every file has to have.
  package init() {}

  /// The sections and keys of the file.
  package static let settings: [Setting<PlatenConfiguration>] = [
    .group(
      "rig", required: "a section with the key \"id\"", "the name of the rig",
      [
        Setting(
          \.rigID, "id", .name(1...64, of: .identifier), required: "the rig's name",
          "the rig's name"),
        Setting(\.make, "make", .text(), "the maker in EXIF (Make)"),
        Setting(\.model, "model", .text(), "the model in EXIF (Model)"),
      ]),
    Setting(\.board, "board", .word, required: "linux or simulated", "the devices of the rig"),
    .group(
      "log", "the log",
      [Setting(\.logLevel, "level", .word, "the least severe messages that are logged")]),
    .section(\.simulation, "simulation", "the simulated board"),
    cameraSetting, camerasSetting, shutterSetting, buttonsSetting, accelerometerSetting,
    indicatorsSetting, lampSetting, lampsSetting,
    .section(
      \.thermal, "thermal",
      "the watched zones, their limits, and the constraints on a hot rig"),
    Setting<PlatenConfiguration>.section(
      \.power, "power", "the power supply, and the way to power the machine off"
    ).reserved,
    .section(\.image, "image", "the files of a capture and their quality"),
    pageSetting,
    .section(\.duplicates, "duplicates", "the marking of near duplicates of earlier pictures"),
    .section(\.handsFree, "hands_free", "pictures of pages that were turned, without a press"),
    .section(\.movie, "movie", "recordings, and the limits that end them"),
    .section(
      \.spool, "spool", required: "a section with the key \"directory\"",
      "the durable queue on the disk"),
    .group(
      "ledger", "the presses and their outcomes, kept with the spool",
      [
        Setting(
          \.spool.ledgerPresses, "presses", .integer(100...1_000_000),
          "the number of finished presses that are remembered")
      ]),
    targetSettings,
    Setting<PlatenConfiguration>.section(
      \.api, "api", "the addresses of the API, and its permitted users"
    ).reserved,
  ]

  /// Refuses sections that do not agree.
  package mutating func agree(in root: SettingsSection) {
    spool.rigID = rigID
    spool.targets =
      targets.isEmpty ? [.unassigned] : targets.map { TargetID(rawValue: $0.name) }
    spool.maximumSources = image.deferredPictures
    spool.maximumSourceBytes = image.deferredBytes
    for target in targets { spool.proxyPolicies[TargetID(rawValue: target.name)] = target.proxies }
    refuseOvertaking(root)
    Self.agreeOnCameras(&self, root)
    Self.refuseTwoForms(&self, root)
    if board == .linux, root.has("simulation") {
      root.note("goes with \"board: simulated\" only", at: "simulation")
    }
    if board == .simulated, camera.process == .separate {
      root.section("camera")?.note(
        "goes with \"board: linux\" only: the simulated camera sees the world that the other "
          + "simulated devices are in, and that is in the service's process", at: "process")
    }
    WiringTable.refuseSharedWires(buttons, indicators, lamp, lamps, root)
    refuseUnknownLamps(root)
    refuseReboot(root)
    refuseHold(root)
    refuseMovies(root)
    if board == .linux { refuseHidden(root) }
  }
}
