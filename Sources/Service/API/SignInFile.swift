import API
import Devices
import Logging
import RigConfiguration

/// The file of the browsers' sign-ins beside the spool.
///
/// Without the file, people sign in again after a restart. The actor has a separate executor,
/// because its calls wait for the disk.
actor SignInFile: SignInStore {
  /// The file's name.
  static let name = "sign-ins.json"

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.sign-ins")
  private let file: DurableFile
  private let logger: Logger
  /// Whether the last write failed; the retries of a failed write log no further line.
  private var isFailing = false

  init(directory: String, logger: Logger) {
    file = DurableFile(directory: directory, name: Self.name)
    self.logger = logger
  }

  func read() async -> [UInt8]? {
    do throws(DeviceError) {
      return try file.read()
    } catch {
      logger.warning(
        "sign-ins of browsers cannot be read, people sign in again",
        metadata: ["file.path": "\(file.path)", "error": "\(error)"])
      return nil
    }
  }

  func write(_ bytes: [UInt8]) async -> Bool {
    do throws(DeviceError) {
      try file.replace(bytes)
      isFailing = false
      return true
    } catch {
      if !isFailing {
        logger.warning(
          "sign-ins of browsers cannot be kept, a restart returns to the ones that were kept last",
          metadata: ["file.path": "\(file.path)", "error": "\(error)"])
      }
      isFailing = true
      return false
    }
  }
}
