package import API

/// The focus of a camera as lines for a terminal.
package struct FocusView: Sendable {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the picture's sharpness, the lens position and the range of positions.
  package func lines(_ report: PreviewReport, _ lens: LensReport?) -> [String] {
    let range = lens.map {
      "\(Figures.decimal($0.farthest, 2)) (far) to \(Figures.decimal($0.nearest, 2)) (near)"
    }
    return cut([
      "focus  \(Figures.decimal(report.focus, 4)), \(place(report))",
      "lens   \(range.map { "can be placed from \($0) dioptres" } ?? "cannot be placed")",
    ])
  }

  /// Returns the sharpness and the lens position, both before and after.
  package func lines(before: PreviewReport, after: PreviewReport) -> [String] {
    cut([
      "before  focus \(Figures.decimal(before.focus, 4)), \(place(before))",
      "after   focus \(Figures.decimal(after.focus, 4)), \(place(after))",
    ])
  }

  /// Returns the line for a position of a search.
  package func line(
    _ step: FocusSweep.Step, _ track: FocusTrack, number: Int, of count: Int
  ) -> String {
    let place = Figures.decimal(step.dioptres, 2)
    let padded = String(repeating: " ", count: max(0, 6 - place.count)) + place
    let text =
      "lens \(padded)  focus \(Figures.decimal(step.focus, 4)) "
      + "[\(track.bar(min(30, width - 40)))]  \(number) of \(count)"
    return PlainText.truncating(text, to: width - 1)
  }

  /// Returns the result of a search.
  package func lines(best: FocusSweep.Step, _ report: PreviewReport) -> [String] {
    PlainText.wrapping(
      "The lens is at \(Figures.decimal(best.dioptres, 2)) dioptres, where it is sharpest: "
        + "\(Figures.decimal(report.focus, 4)) (best seen \(Figures.decimal(best.focus, 4))).",
      to: width)
  }

  /// Returns the reason why no lens can be moved.
  package static func withoutLens(_ session: SessionOverview) -> String {
    let camera = session.session.camera.map { "The camera \"\($0.model)\"" } ?? "This rig"
    return session.controls == nil
      ? "No camera streams, so that there is no lens to place."
      : "\(camera) has no lens that can be placed; it is focused by hand, with \"preview\"."
  }

  /// Returns the reason why the lens cannot be moved to a position.
  package static func outside(_ dioptres: Double, _ lens: LensReport) -> String {
    "The lens can be placed from \(Figures.decimal(lens.farthest, 2)) to "
      + "\(Figures.decimal(lens.nearest, 2)) dioptres, not at \(Figures.decimal(dioptres, 2))."
  }

  private func place(_ report: PreviewReport) -> String {
    let place = report.dioptres.map { "lens at \(Figures.decimal($0, 2)) dioptres" }
    return [place ?? "the camera does not say where its lens is", report.focusState]
      .compactMap { $0 }.joined(separator: ", ")
  }

  private func cut(_ texts: [String]) -> [String] {
    texts.map { PlainText.truncating(PlainText.escaping($0), to: width) }
  }
}
