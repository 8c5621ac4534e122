public import API

/// The focus of a camera as lines for a terminal.
public struct FocusView: Sendable {
  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// How sharp the picture is, where the lens is, and where it can be.
  public func lines(_ report: PreviewReport, _ lens: LensReport?) -> [String] {
    let range = lens.map {
      "\(Figures.decimal($0.farthest, 2)) (far) to \(Figures.decimal($0.nearest, 2)) (near)"
    }
    return cut([
      "focus  \(Figures.decimal(report.focus, 4)), \(place(report))",
      "lens   \(range.map { "can be placed from \($0) dioptres" } ?? "cannot be placed")",
    ])
  }

  /// How sharp the picture was and is, and where the lens was and is.
  public func lines(before: PreviewReport, after: PreviewReport) -> [String] {
    cut([
      "before  focus \(Figures.decimal(before.focus, 4)), \(place(before))",
      "after   focus \(Figures.decimal(after.focus, 4)), \(place(after))",
    ])
  }

  /// One place of a search.
  public func line(
    _ step: FocusSweep.Step, _ track: FocusTrack, number: Int, of count: Int
  ) -> String {
    let place = Figures.decimal(step.dioptres, 2)
    let padded = String(repeating: " ", count: max(0, 6 - place.count)) + place
    let text =
      "lens \(padded)  focus \(Figures.decimal(step.focus, 4)) "
      + "[\(track.bar(min(30, width - 40)))]  \(number) of \(count)"
    return PlainText.truncating(text, to: width - 1)
  }

  /// What came of a search.
  public func lines(best: FocusSweep.Step, _ report: PreviewReport) -> [String] {
    PlainText.wrapping(
      "The lens is at \(Figures.decimal(best.dioptres, 2)) dioptres, where it is sharpest: "
        + "\(Figures.decimal(report.focus, 4)) (best seen \(Figures.decimal(best.focus, 4))).",
      to: width)
  }

  /// Why a lens cannot be placed.
  public static func withoutLens(_ session: SessionOverview) -> String {
    let camera = session.session.camera.map { "The camera \"\($0.model)\"" } ?? "This rig"
    return session.controls == nil
      ? "No camera streams, so that there is no lens to place."
      : "\(camera) has no lens that can be placed; it is focused by hand, with \"preview\"."
  }

  /// Why a lens cannot be placed there.
  public static func outside(_ dioptres: Double, _ lens: LensReport) -> String {
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
