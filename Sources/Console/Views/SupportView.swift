/// The result of collecting a support bundle, as lines for a terminal.
package struct SupportView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the file's path and checksum, then each missing part with the reason.
  package func lines(
    _ manifest: SupportManifest, path: String, bytes: Int64, sha256: String
  ) -> [String] {
    let count = "\(manifest.parts.count) parts, \(manifest.missing.count) could not be had"
    let missing = manifest.missing.flatMap { missing in
      PlainText.wrapping(PlainText.escaping("\(missing.name): \(missing.reason)"), to: width - 2)
        .enumerated().map { ($0 == 0 ? "" : "  ") + $1 }
    }
    return PlainText.wrapping(
      PlainText.escaping("\(path): \(Figures.bytes(bytes)), \(count)"), to: width)
      + ["SHA-256 \(sha256)"] + missing
  }
}
