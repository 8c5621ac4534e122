package import API

/// The view of a camera's scale and its scope, with a warning about a different configured value.
extension ScaleReport: Presentable {
  /// The largest relative deviation of `image.dpi` from the measured scale.
  private static let tolerance = 0.02

  package var blocks: [TextBlock] {
    let turn = angleDegrees < 0 ? "counterclockwise" : "clockwise"
    let lens = diopters.map { ", with the lens at \(Figures.decimal($0, 2)) diopters" } ?? ""
    let rows = TextBlock.rows([
      (
        "scale",
        "\(Figures.decimal(pixelsPerInch, 1)) pixels to an inch, "
          + "\(Figures.decimal(horizontal, 1)) along the rows and "
          + "\(Figures.decimal(vertical, 1)) along the columns"
      ),
      (
        "sheet",
        "turned \(turn) by \(Figures.decimal(abs(angleDegrees), 1)) degrees, opposite sides "
          + "differ by \(Figures.decimal(keystone * 100, 1, unit: "%"))"
      ),
      ("holds for", "pictures of \(frameSize.width)x\(frameSize.height)\(lens)"),
    ])
    guard let configured = configuredPixelsPerInch,
      abs(configured / pixelsPerInch - 1) > Self.tolerance
    else { return [rows] }
    return [
      rows,
      .paragraph(
        "warning: \"image.dpi\" is \(Figures.decimal(configured, 1)), and pictures of the "
          + "configured camera, preset and zoom claim that instead. Set it right, or take it out."),
    ]
  }
}
