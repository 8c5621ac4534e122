import API
import Devices
import Spool

/// The metadata of a picture at a target: rig, time, and trust in the time.
enum UploadedMetadata {
  /// The name of the press's number.
  private static let press = "press"

  /// Returns the number of the press of a picture with the metadata; `nil` for none.
  static func press(of metadata: [String: String]) -> Int64? {
    metadata[press].flatMap { Int64($0) }
  }

  private static func words(_ warnings: [PageWarning]) -> String? {
    warnings.isEmpty ? nil : warnings.map(\.rawValue).joined(separator: " ")
  }

  /// Returns the corners as fractions of the picture's sides, `x y` for each, as XMP has them.
  private static func places(_ outline: [PageFindings.Point]) -> String? {
    let numbers = outline.flatMap { [$0.x, $0.y] }
    guard numbers.allSatisfy({ $0.isFinite && abs($0) < 100 }) else { return nil }
    return numbers.map { "\(($0 * 10_000).rounded() / 10_000)" }.joined(separator: " ")
  }

  /// Returns the regions of text as fractions of the picture's sides, `x y width height` for each.
  ///
  /// The text for 32 regions has fewer than 800 bytes. S3 takes 2,048 bytes of metadata in all.
  private static func places(_ regions: [PageFindings.Region]) -> String? {
    let numbers = regions.flatMap { [$0.x, $0.y, $0.width, $0.height] }
    guard !numbers.isEmpty, numbers.allSatisfy({ (0...1).contains($0) }) else { return nil }
    return numbers.map { "\(($0 * 1000).rounded() / 1000)" }.joined(separator: " ")
  }

  /// Returns names of `a-z 0-9 -` and values of printable ASCII, as HTTP fields can carry them.
  static func make(_ delivery: Delivery) -> [String: String] {
    let metadata = delivery.metadata
    let captured = delivery.captured
    let values: [(String, String?)] = [
      ("rig", metadata.rigID), ("sha256", delivery.sha256),
      (press, metadata.pressNumber.map { "\($0)" }),
      ("captured", ISO8601Time.text(captured)), ("captured-trust", captured.wallTrust.rawValue),
      ("boot-id", captured.bootID),
      ("monotonic-ns", captured.monotonicNanoseconds.map { "\($0)" }),
      ("orientation", metadata.orientation.map { "\($0)" }),
      ("orientation-source", metadata.orientationSource?.rawValue),
      ("page-skew", metadata.page?.skew.map { "\(($0 * 100).rounded() / 100)" }),
      ("page-outline", metadata.page?.outline.flatMap(places)),
      ("page-regions", metadata.page.flatMap { places($0.regions) }),
      ("page-warnings", metadata.page.flatMap { words($0.warnings) }),
      ("selection-error-ns", metadata.selectionErrorNanoseconds.map { "\($0)" }),
      ("near-duplicate-of", metadata.nearDuplicateOf),
      ("adjusting", metadata.adjusting?.map(\.rawValue).joined(separator: " ")),
      ("rendition", metadata.rendition), ("replaces", metadata.replacedItemID),
      ("finality", metadata.isProxy ? "proxy" : nil),
    ]
    return values.reduce(into: [:]) { result, value in
      guard let text = value.1, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return }
      result[value.0] = String(text.prefix(800))
    }
  }
}
