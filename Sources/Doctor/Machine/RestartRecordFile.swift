package import Capture
package import Devices
import Foundation
import RigConfiguration

/// The file of a ``Capture/RestartRecord``, which outlives the service and the machine.
package struct RestartRecordFile: Sendable {
  /// The file's name in the state directory.
  static let name = "recovery.json"
  /// The maximum size of a record in bytes; a record has a few KiB.
  static let maximumBytes = 1 << 20

  let directory: String

  var path: String { file.path }
  private var file: DurableFile { DurableFile(directory: directory, name: Self.name) }

  /// Takes the file of a state directory.
  package init(directory: String) { self.directory = directory }

  /// Reads the record; returns `nil` when there never was one.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when a file exists that cannot be read or is not
  ///   a record.
  package func read() throws(DeviceError) -> RestartRecord? {
    guard let bytes = try file.read(limit: Self.maximumBytes) else { return nil }
    do {
      return try JSONDecoder().decode(RestartRecord.self, from: Data(bytes))
    } catch {
      throw DeviceError(
        .inputOutput, device: path, problem: "is no record", cause: "it is damaged")
    }
  }

  /// Replaces the record, which is on the medium on return.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`; the file then has the old or the new record.
  package func write(_ record: RestartRecord) throws(DeviceError) {
    let data: Data
    do { data = try JSONEncoder().encode(record) } catch {
      throw DeviceError(
        .inputOutput, device: path, problem: "cannot be written", cause: "\(error)")
    }
    try file.replace(Array(data))
  }
}
