public import Devices
import Foundation

/// The whole configuration of a rig, as its YAML file has it.
///
/// | key | value | default |
/// |---|---|---|
/// | `rig` | ``RigConfiguration`` | required |
/// | `board` | `simulated` or `linux` | required |
/// | `camera` | ``CameraConfiguration`` | its defaults |
/// | `shutter` | ``ShutterConfiguration`` | none: presses come through the API |
/// | `accelerometer` | ``AccelerometerConfiguration`` | none: orientation stays as mounted |
/// | `indicators` | `ready`, `fault` and `upload`, each an ``IndicatorConfiguration`` | none |
/// | `thermal` | ``ThermalConfiguration`` | none: heat is not watched |
/// | `image` | ``ImageConfiguration`` | its defaults |
/// | `spool` | ``SpoolConfiguration`` | required |
/// | `upload` | ``UploadConfiguration`` | none: pictures stay in the spool |
/// | `api` | ``APIConfiguration`` | its defaults |
/// | `log` | ``LogConfiguration`` | its defaults |
/// | `simulation` | ``SimulationConfiguration`` | its defaults, on the board `simulated` only |
///
/// Durations are written with their unit (`30 ms`, `5 s`, `2 min`, `1 h`), bytes too (`256 MiB`);
/// temperatures are in °C and rates in Hz. The file is strict: unknown and duplicate keys, wrong
/// types, impossible values and YAML aliases are refused, all at once and each with its place.
public struct PlatenConfiguration: Sendable, Hashable {
  /// The largest file that is read, in bytes: 1 MiB.
  public static let largestFile = 1 << 20

  /// Who the rig is.
  public var rig: RigConfiguration
  /// Which devices it is made of.
  public var board: BoardKind
  /// Which camera is used and how.
  public var camera: CameraConfiguration
  /// The shutter button; `nil` when presses come only through the API.
  public var shutter: ShutterConfiguration?
  /// The accelerometer; `nil` when there is none.
  public var accelerometer: AccelerometerConfiguration?
  /// The lights by what they are for.
  public var indicators: [IndicatorRole: IndicatorConfiguration]
  /// What heat does; `nil` when it is not watched.
  public var thermal: ThermalConfiguration?
  /// How pictures are made.
  public var image: ImageConfiguration
  /// Where pictures wait for upload.
  public var spool: SpoolConfiguration
  /// Where pictures go; `nil` when they stay.
  public var upload: UploadConfiguration?
  /// Where the service can be asked.
  public var api: APIConfiguration
  /// What is logged.
  public var log: LogConfiguration
  /// How the simulated world behaves; `nil` on the board ``BoardKind/linux``.
  public var simulation: SimulationConfiguration?

  /// Reads a configuration file.
  ///
  /// - Parameter path: the file's path, which the errors repeat.
  /// - Throws: ``ConfigurationErrors``: the file cannot be read, or everything that is wrong in it.
  public static func load(path: String) throws(ConfigurationErrors) -> PlatenConfiguration {
    let bytes: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      bytes = try file.read(upToCount: largestFile + 1) ?? Data()
    } catch {
      throw ConfigurationErrors([
        ConfigurationError(
          file: path, line: nil, column: nil, key: nil,
          problem: "expected a readable file, found none: \(error.localizedDescription)")
      ])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // The text before the first damaged byte says in which line it stands.
      let repaired = String(decoding: bytes, as: UTF8.self)
      let before = repaired.prefix { !$0.unicodeScalars.contains("\u{FFFD}") }
      let line = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      throw ConfigurationErrors([
        ConfigurationError(
          file: path, line: line.count, column: (line.last?.unicodeScalars.count ?? 0) + 1,
          key: nil, problem: "expected UTF-8, found other bytes")
      ])
    }
    return try parse(text: text, file: path)
  }

  /// Reads the text of a configuration file.
  ///
  /// - Parameters:
  ///   - text: YAML of at most ``largestFile`` bytes.
  ///   - file: the file's name for the errors.
  /// - Throws: ``ConfigurationErrors``: everything that is wrong in the text.
  public static func parse(
    text: String, file: String
  ) throws(ConfigurationErrors) -> PlatenConfiguration {
    guard text.utf8.count <= largestFile else {
      throw ConfigurationErrors([
        ConfigurationError(
          file: file, line: 1, column: 1, key: nil,
          problem: "expected at most \(largestFile) bytes, found more")
      ])
    }
    return try ConfigurationReader(file: file).read(text) { PlatenConfiguration(reading: $0) }
  }

  private init?(reading mapping: ConfigurationMapping) {
    let rig = mapping.requireSection("rig") { RigConfiguration(reading: $0) }
    let board = mapping.require("board", as: .choice(BoardKind.allCases))
    let camera = mapping.requireSection("camera") { CameraConfiguration(reading: $0) }
    shutter = mapping.readSection("shutter") { ShutterConfiguration(reading: $0, board: board) }
    accelerometer = mapping.readSection("accelerometer") {
      AccelerometerConfiguration(reading: $0, board: board)
    }
    indicators = mapping.readSection("indicators", IndicatorConfiguration.readAll) ?? [:]
    thermal = mapping.readSection("thermal") { ThermalConfiguration(reading: $0) }
    let image = mapping.requireSection("image") { ImageConfiguration(reading: $0) }
    let spool = mapping.requireSection("spool") { SpoolConfiguration(reading: $0) }
    upload = mapping.readSection("upload") { UploadConfiguration(reading: $0) }
    let api = mapping.requireSection("api") { APIConfiguration(reading: $0) }
    let log = mapping.requireSection("log") { LogConfiguration(reading: $0) }
    simulation =
      board == .linux
      ? mapping.readSection("simulation") { SimulationConfiguration(reading: $0) }
      : mapping.requireSection("simulation") { SimulationConfiguration(reading: $0) }
    if board == .linux, mapping.contains("simulation") {
      mapping.report("simulation", "expected it only on the board simulated, found it on linux")
    }
    guard let rig, let board, let camera, let image, let spool, let api, let log else {
      return nil
    }
    self.rig = rig
    self.board = board
    self.camera = camera
    self.image = image
    self.spool = spool
    self.api = api
    self.log = log
  }
}
