package import API

/// The measured scale of a camera as lines for a terminal.
package struct ScaleView: Sendable {
  /// The largest relative deviation of `image.dpi` from the measured scale.
  static let tolerance = 0.02

  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns.
  package init(width: Int = 80) {
    self.width = width
  }

  /// Returns the scale and its scope, with a warning about a different configured value.
  package func lines(_ report: ScaleReport) -> [String] {
    let turn = report.angleDegrees < 0 ? "counterclockwise" : "clockwise"
    let lens = report.dioptres.map { ", with the lens at \(Figures.decimal($0, 2)) dioptres" } ?? ""
    let rows = [
      (
        "scale",
        "\(Figures.decimal(report.pixelsPerInch, 1)) pixels to an inch, "
          + "\(Figures.decimal(report.horizontal, 1)) along the rows and "
          + "\(Figures.decimal(report.vertical, 1)) along the columns"
      ),
      (
        "sheet",
        "turned \(turn) by \(Figures.decimal(abs(report.angleDegrees), 1)) degrees, opposite sides "
          + "differ by \(Figures.decimal(report.keystone * 100, 1, unit: "%"))"
      ),
      ("holds for", "pictures of \(report.frameSize.width)x\(report.frameSize.height)\(lens)"),
    ]
    return LabeledRows(rows).lines(width: width) + warning(report)
  }

  private func warning(_ report: ScaleReport) -> [String] {
    guard let configured = report.configuredPixelsPerInch,
      abs(configured / report.pixelsPerInch - 1) > Self.tolerance
    else { return [] }
    return PlainText.wrapping(
      "warning: \"image.dpi\" is \(Figures.decimal(configured, 1)), and pictures of the configured "
        + "camera, preset and zoom claim that instead. Set it right, or take it out.", to: width)
  }
}
