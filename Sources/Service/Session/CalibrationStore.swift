import Capture
import Devices
import Foundation
import Logging
import RigConfiguration

/// The storage of the cameras' calibrations and scales in a JSON file of the spool's directory.
///
/// A damaged or foreign file is named in the log and renamed to `camera-calibrations.json.broken`.
/// The rig then starts without calibrations. The actor has a separate executor, because its calls
/// wait for the disk.
actor CalibrationStore: CalibrationStorage {
  /// The file's name.
  static let fileName = "camera-calibrations.json"

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.calibrations")
  private let file: DurableFile
  private let logger: Logger
  private var known: CalibrationFile?

  init(directory: String, logger: Logger) {
    file = DurableFile(directory: directory, name: Self.fileName)
    self.logger = logger
  }

  func calibrations() async -> [CameraDescription.ID: CameraCalibration] {
    load().cameras.compactMapValues(\.calibration)
  }

  func scales() async -> [CameraDescription.ID: [CameraScale]] {
    load().cameras.compactMapValues(\.scales)
  }

  func store(
    _ calibration: CameraCalibration, of camera: CameraDescription.ID
  ) async throws(DeviceError) {
    var all = load()
    let scales = all.cameras[camera]?.scales
    all.cameras[camera] = CalibrationFile.Entry(calibration, scales: scales)
    try write(all)
  }

  func store(
    _ scales: [CameraScale], of camera: CameraDescription.ID
  ) async throws(DeviceError) {
    var all = load()
    all.cameras[camera, default: CalibrationFile.Entry()].scales = scales
    try write(all)
  }

  func removeCalibration(of camera: CameraDescription.ID) async throws(DeviceError) {
    var all = load()
    guard all.cameras.removeValue(forKey: camera) != nil else { return }
    try write(all)
  }

  private func write(_ contents: CalibrationFile) throws(DeviceError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(contents)
    } catch {
      throw DeviceError(
        .inputOutput, device: file.path, problem: "cannot be written",
        cause: "the calibration has a number that is none")
    }
    // After a failure, the file is read again.
    known = nil
    try file.replace(Array(data))
    known = contents
  }

  private func load() -> CalibrationFile {
    if let known { return known }
    let loaded = read()
    known = loaded
    return loaded
  }

  private func read() -> CalibrationFile {
    do {
      guard let bytes = try file.read() else { return CalibrationFile() }
      let contents = try JSONDecoder().decode(CalibrationFile.self, from: Data(bytes))
      try contents.check()
      return contents
    } catch {
      logger.error(
        "calibrations cannot be used and are put aside, the cameras find their own values",
        metadata: ["file.path": "\(file.path)", "error": "\(Self.cause(of: error))"])
    }
    do throws(DeviceError) {
      try file.rename(to: Self.fileName + ".broken")
    } catch {
      logger.error("calibrations stay in place", metadata: ["error": "\(error)"])
    }
    return CalibrationFile()
  }

  private static func cause(of error: any Error) -> String {
    switch error {
    case let error as DeviceError: error.description
    case let error as CalibrationFile.Damage: error.description
    default: "it is no file of calibrations"
    }
  }
}

/// The contents of the file of a ``CalibrationStore``.
struct CalibrationFile: Codable {
  /// The reason why a file cannot be used.
  struct Damage: Error, CustomStringConvertible {
    var description: String
  }

  /// A camera's calibration, in the units of its names, and its scales.
  struct Entry: Codable {
    var exposureNanoseconds: Int64?
    var analogueGain: Double?
    var redGain: Double?
    var blueGain: Double?
    var lensPositionDiopters: Double?
    /// The scales, the newest first; files from before scales were measured have none.
    var scales: [CameraScale]?

    /// The keys of the file, which stay as they are; one has the British word.
    private enum CodingKeys: String, CodingKey {
      case exposureNanoseconds, analogueGain, redGain, blueGain, scales
      case lensPositionDiopters = "lensPositionDioptres"
    }
  }

  /// The newest version of the file format.
  static let version = 1

  var version = Self.version
  var cameras: [CameraDescription.ID: Entry] = [:]

  /// Refuses a file of another version, or with an impossible number.
  func check() throws(Damage) {
    guard version == Self.version else {
      throw Damage(description: "it has version \(version), not \(Self.version)")
    }
    for (camera, entry) in cameras where !entry.isPossible {
      throw Damage(description: "the numbers of camera \"\(camera)\" cannot be")
    }
  }
}

extension CalibrationFile.Entry {
  init(_ calibration: CameraCalibration, scales: [CameraScale]?) {
    self.init(
      exposureNanoseconds: calibration.exposureDuration?.wholeNanoseconds,
      analogueGain: calibration.analogueGain, redGain: calibration.whiteBalanceGains?.red,
      blueGain: calibration.whiteBalanceGains?.blue,
      lensPositionDiopters: calibration.lensPosition, scales: scales)
  }

  /// The calibration; `nil` when there are only scales.
  var calibration: CameraCalibration? {
    var calibration = CameraCalibration(
      exposureDuration: exposureNanoseconds.map { .nanoseconds($0) },
      analogueGain: analogueGain, lensPosition: lensPositionDiopters)
    if let redGain, let blueGain {
      calibration.whiteBalanceGains = WhiteBalanceGains(red: redGain, blue: blueGain)
    }
    return calibration == CameraCalibration() ? nil : calibration
  }

  fileprivate var isPossible: Bool {
    let positives =
      [exposureNanoseconds.map(Double.init), analogueGain, redGain, blueGain]
      .compactMap { $0 } + (scales ?? []).map(\.pixelsPerInch)
    let positions = [lensPositionDiopters] + (scales ?? []).map(\.lensPosition)
    return (redGain == nil) == (blueGain == nil) && positives.allSatisfy { $0 > 0 }
      && positions.allSatisfy { $0 ?? 0 >= 0 }
  }
}
