import Devices
import Foundation
import Logging
import RigConfiguration

/// The file of the heat of the last day beside the spool.
///
/// Without the file, the day begins anew. A damaged file is renamed to `heat.json.broken`. The
/// actor has a separate executor, because its calls wait for the disk.
actor ThermalHistoryFile {
  /// The file's name; a day of four zones has some 60 KiB.
  static let name = "heat.json"

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.heat-history")
  private let file: DurableFile
  private let logger: Logger
  /// Whether the last write failed; the following failures log no further line.
  private var isFailing = false

  init(directory: String, logger: Logger) {
    file = DurableFile(directory: directory, name: Self.name)
    self.logger = logger
  }

  /// Reads the history; returns `nil` without a usable one.
  func read() -> ThermalHistory.Kept? {
    do {
      guard let bytes = try file.read() else { return nil }
      return try JSONDecoder().decode(ThermalHistory.Kept.self, from: Data(bytes))
    } catch {
      let cause = (error as? DeviceError)?.description ?? "it is no history"
      logger.warning(
        "the temperatures of the last day are put aside, the day begins anew",
        metadata: ["file.path": "\(file.path)", "error": "\(cause)"])
    }
    do throws(DeviceError) {
      try file.rename(to: Self.name + ".broken")
    } catch {
      logger.warning(
        "the temperatures of the last day stay in place", metadata: ["error": "\(error)"])
    }
    return nil
  }

  /// Replaces the history.
  func write(_ kept: ThermalHistory.Kept) {
    do {
      try file.replace(Array(try JSONEncoder().encode(kept)))
      isFailing = false
    } catch {
      if !isFailing {
        logger.warning(
          "the temperatures of the last day cannot be kept, a restart returns to the ones before",
          metadata: ["file.path": "\(file.path)", "error": "\(error)"])
      }
      isFailing = true
    }
  }
}
