import Foundation
import Spool

/// What is stored with a picture at a target: who took it, when, and how far the time is to be
/// trusted.
enum UploadedMetadata {
  /// Names of `a-z 0-9 -` and values of printable ASCII, as HTTP fields can carry them.
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

  /// ISO 8601 in UTC with milliseconds; `nil` when no time is known.
  static func time(_ captured: CaptureTime) -> String? {
    captured.wallNanoseconds.map(time(nanoseconds:))
  }

  /// ISO 8601 in UTC with milliseconds.
  static func time(nanoseconds: Int64) -> String {
    // A number of nanoseconds since 1970 fits into no Double: whole seconds, and the rest by hand.
    let milliseconds = Int64((Double(nanoseconds / 1000) / 1000).rounded(.down))
    let rest = (milliseconds % 1000 + 1000) % 1000
    let seconds = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000))
    let digits = String(rest + 1000).dropFirst()
    return seconds.formatted(.iso8601).dropLast() + ".\(digits)Z"
  }
}
