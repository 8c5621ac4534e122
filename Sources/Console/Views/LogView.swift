package import API
import Devices

/// The view of a line of the service's log: time, level, label, message and metadata.
extension LogEntry: Presentable {
  package var blocks: [TextBlock] {
    let pad = String(repeating: " ", count: max(0, 8 - level.count))
    let metadata = self.metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    return [.line("\(time)  \(level)\(pad)  \(label): \(message)\(metadata.joined())")]
  }
}

extension MissedEvents {
  /// The notice of missed lines of the log.
  package var logNotice: String {
    count.map { "-- \($0.counted("line was", "lines were")) missed" }
      ?? "-- lines of an earlier run were missed"
  }
}
