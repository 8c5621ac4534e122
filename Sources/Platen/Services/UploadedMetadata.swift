import Foundation
import Spool

/// The metadata of a picture at a target: rig, time, and trust in the time.
enum UploadedMetadata {
  /// Returns names of `a-z 0-9 -` and values of printable ASCII, as HTTP fields can carry them.
  static func make(_ delivery: Delivery) -> [String: String] {
    let metadata = delivery.metadata
    let captured = delivery.captured
    let values: [(String, String?)] = [
      ("rig", metadata.rigID), ("sha256", delivery.sha256),
      ("press", metadata.pressNumber.map { "\($0)" }),
      ("captured", time(captured)), ("captured-trust", captured.wallTrust.rawValue),
      ("boot-id", captured.bootID),
      ("monotonic-ns", captured.monotonicNanoseconds.map { "\($0)" }),
      ("orientation", metadata.orientation.map { "\($0)" }),
      ("selection-error-ns", metadata.selectionErrorNanoseconds.map { "\($0)" }),
      ("near-duplicate-of", metadata.nearDuplicateOf),
      ("adjusting", metadata.adjusting?.joined(separator: " ")),
      ("rendition", metadata.rendition), ("replaces", metadata.replacedItemID),
    ]
    return values.reduce(into: [:]) { result, value in
      guard let text = value.1, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return }
      result[value.0] = String(text.prefix(200))
    }
  }

  /// Returns the time as ISO 8601 in UTC with milliseconds; `nil` when it is unknown.
  static func time(_ captured: CaptureTime) -> String? {
    captured.wallNanoseconds.map(time(nanoseconds:))
  }

  /// Returns the time as ISO 8601 in UTC with milliseconds.
  static func time(nanoseconds: Int64) -> String {
    // Nanoseconds since 1970 do not fit into a Double: whole seconds and the rest are separate.
    let milliseconds = Int64((Double(nanoseconds / 1000) / 1000).rounded(.down))
    let rest = (milliseconds % 1000 + 1000) % 1000
    let seconds = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000))
    let digits = String(rest + 1000).dropFirst()
    return seconds.formatted(.iso8601).dropLast() + ".\(digits)Z"
  }
}
