import Devices
import Logging
import RigConfiguration

/// A file beside the spool whose content may be lost, which the log tells.
///
/// The actor has a separate executor, because its calls wait for the disk.
actor KeptFile {
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor: DispatchQueueExecutor
  private let file: DurableFile
  private let name: String
  private let content: String
  private let logger: Logger
  /// Whether the last write failed; the following failures log no further line.
  private var isFailing = false

  /// Takes a file, which does not have to exist.
  ///
  /// - Parameter content: the content for the log, a plural.
  init(directory: String, name: String, content: String, logger: Logger) {
    executor = DispatchQueueExecutor(label: "platen.\(name)")
    file = DurableFile(directory: directory, name: name)
    (self.name, self.content, self.logger) = (name, content, logger)
  }

  /// Reads the file; returns `nil` without a readable one.
  func read() -> [UInt8]? {
    do throws(DeviceError) {
      return try file.read()
    } catch {
      warn("cannot be read, so the service starts without them", "\(error)")
      return nil
    }
  }

  /// Replaces the file; returns whether the new one is on stable storage.
  func write(_ bytes: [UInt8]) -> Bool {
    do throws(DeviceError) {
      try file.replace(bytes)
      isFailing = false
    } catch {
      if !isFailing { warn("cannot be kept, a restart returns to the ones before", "\(error)") }
      isFailing = true
    }
    return !isFailing
  }

  /// Renames a file without a usable content, whose new name has the ending `.broken`.
  func putAside() {
    warn("are put aside, so the service starts without them", "they have another form")
    do throws(DeviceError) {
      try file.rename(to: name + ".broken")
    } catch {
      warn("stay in place", "\(error)")
    }
  }

  private func warn(_ problem: String, _ error: String) {
    logger.warning(
      "\(content) \(problem)", metadata: ["file.path": "\(file.path)", "error": "\(error)"])
  }
}
