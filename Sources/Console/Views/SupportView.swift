import Devices

/// The result of collecting a support bundle: its path and checksum, and each missing part.
package struct SupportReport: Encodable, Presentable {
  private enum CodingKeys: CodingKey {
    case path, bytes, sha256, missing
  }

  private let path: String
  private let bytes: Int64
  private let sha256: String
  private let missing: [SupportManifest.Missing]
  private let partCount: Int

  /// Creates a report on an archive of a bundle.
  package init(_ manifest: SupportManifest, path: String, bytes: Int64, sha256: String) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    missing = manifest.missing
    partCount = manifest.parts.count
  }

  package var blocks: [TextBlock] {
    let count = "\(partCount.counted("part")), \(missing.count) could not be had"
    return [
      TextBlock.paragraph("\(path): \(Figures.bytes(bytes)), \(count)"),
      TextBlock.line("SHA-256 \(sha256)"),
    ] + missing.map { TextBlock.paragraph("\($0.name): \($0.reason)", hanging: 2) }
  }
}
