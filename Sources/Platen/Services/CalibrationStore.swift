import Capture
import Devices
import Foundation
import Logging

/// Keeps the cameras' calibrations in a JSON file of the spool's directory.
///
/// A file that is damaged or not ours is named in the log and put aside as
/// `camera-calibrations.json.broken`; the rig then starts without calibrations. The actor has an
/// executor of its own, because its calls wait for the disk.
actor CalibrationStore: CalibrationStorage {
  /// The file's name.
  static let fileName = "camera-calibrations.json"

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.calibrations")
  private let file: DurableFile
  private let logger: Logger
  private var known: [CameraDescription.ID: CameraCalibration]?

  init(directory: String, logger: Logger) {
    file = DurableFile(directory: directory, name: Self.fileName)
    self.logger = logger
  }

  func calibrations() async -> [CameraDescription.ID: CameraCalibration] { load() }

  func store(
    _ calibration: CameraCalibration, of camera: CameraDescription.ID
  ) async throws(DeviceError) {
    var all = load()
    all[camera] = calibration
    try write(all)
  }

  func removeCalibration(of camera: CameraDescription.ID) async throws(DeviceError) {
    var all = load()
    guard all.removeValue(forKey: camera) != nil else { return }
    try write(all)
  }

  private func write(
    _ all: [CameraDescription.ID: CameraCalibration]
  ) throws(DeviceError) {
    let contents = CalibrationFile(all)
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
    // What a failure leaves is read again.
    known = nil
    try file.replace(Array(data))
    known = all
  }

  private func load() -> [CameraDescription.ID: CameraCalibration] {
    if let known { return known }
    let loaded = read()
    known = loaded
    return loaded
  }

  private func read() -> [CameraDescription.ID: CameraCalibration] {
    do {
      guard let bytes = try file.read() else { return [:] }
      return try JSONDecoder().decode(CalibrationFile.self, from: Data(bytes)).calibrations()
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
    return [:]
  }

  private static func cause(of error: any Error) -> String {
    switch error {
    case let error as DeviceError: error.description
    case let error as CalibrationFile.Damage: error.description
    default: "it is no file of calibrations"
    }
  }
}

/// What ``CalibrationStore`` writes.
struct CalibrationFile: Codable {
  /// Why a file cannot be used.
  struct Damage: Error, CustomStringConvertible {
    var description: String
  }

  /// One camera's calibration, in the units of its names.
  struct Entry: Codable {
    var exposureNanoseconds: Int64?
    var analogueGain: Double?
    var redGain: Double?
    var blueGain: Double?
    var lensPositionDioptres: Double?
  }

  /// The newest form of the file.
  static let version = 1

  var version: Int
  var cameras: [String: Entry]

  init(_ calibrations: [CameraDescription.ID: CameraCalibration]) {
    version = Self.version
    cameras = calibrations.mapValues { calibration in
      Entry(
        exposureNanoseconds: calibration.exposureDuration?.wholeNanoseconds,
        analogueGain: calibration.analogueGain, redGain: calibration.whiteBalanceGains?.red,
        blueGain: calibration.whiteBalanceGains?.blue,
        lensPositionDioptres: calibration.lensPosition)
    }
  }

  /// The calibrations, all of them or none.
  func calibrations() throws(Damage) -> [CameraDescription.ID: CameraCalibration] {
    guard version == Self.version else {
      throw Damage(description: "it has version \(version), not \(Self.version)")
    }
    var calibrations: [CameraDescription.ID: CameraCalibration] = [:]
    for (camera, entry) in cameras {
      let isWhole = (entry.redGain == nil) == (entry.blueGain == nil)
      let positives = [
        entry.exposureNanoseconds.map(Double.init), entry.analogueGain, entry.redGain,
        entry.blueGain,
      ].compactMap { $0 }
      guard isWhole, positives.allSatisfy({ $0 > 0 }), entry.lensPositionDioptres ?? 0 >= 0 else {
        throw Damage(description: "the numbers of camera \"\(camera)\" cannot be")
      }
      var calibration = CameraCalibration(
        exposureDuration: entry.exposureNanoseconds.map { .nanoseconds($0) },
        analogueGain: entry.analogueGain, lensPosition: entry.lensPositionDioptres)
      if let red = entry.redGain, let blue = entry.blueGain {
        calibration.whiteBalanceGains = WhiteBalanceGains(red: red, blue: blue)
      }
      calibrations[camera] = calibration
    }
    return calibrations
  }
}
