package import API

/// The focus of a camera.
package enum FocusView: Presentable {
  /// The picture's sharpness, the lens position and the range of positions.
  case now(PreviewReport, LensReport?)
  /// The sharpness and the lens position, both before and after.
  case change(before: PreviewReport, after: PreviewReport)
  /// The result of a search.
  case best(FocusSweep.Step, PreviewReport)

  package var blocks: [TextBlock] {
    switch self {
    case .now(let report, let lens):
      let range = lens.map {
        "can be placed from \(Figures.decimal($0.farthest, 2)) (far) to "
          + "\(Figures.decimal($0.nearest, 2)) (near) diopters"
      }
      return [
        .cut("focus  \(Self.place(report))"), .cut("lens   \(range ?? "cannot be placed")"),
      ]
    case .change(let before, let after):
      return [
        .cut("before  focus \(Self.place(before))"), .cut("after   focus \(Self.place(after))"),
      ]
    case .best(let step, let report):
      return [
        .paragraph(
          "The lens is at \(Figures.decimal(step.diopters, 2)) diopters, where it is sharpest: "
            + "\(Figures.decimal(report.focus, 4)) (best seen \(Figures.decimal(step.focus, 4))).")
      ]
    }
  }

  /// Returns the reason why no lens can be moved.
  package static func withoutLens(_ session: SessionOverview) -> String {
    let camera = session.session.camera.map { "The camera \"\($0.model)\"" } ?? "This rig"
    return session.controls == nil
      ? "No camera streams, so that there is no lens to place."
      : "\(camera) has no lens that can be placed; it is focused by hand, with \"preview\"."
  }

  /// Returns the reason why the lens cannot be moved to a position.
  package static func outside(_ diopters: Double, _ lens: LensReport) -> String {
    "The lens can be placed from \(Figures.decimal(lens.farthest, 2)) to "
      + "\(Figures.decimal(lens.nearest, 2)) diopters, not at \(Figures.decimal(diopters, 2))."
  }

  private static func place(_ report: PreviewReport) -> String {
    let place = report.diopters.map { "lens at \(Figures.decimal($0, 2)) diopters" }
    return [
      Figures.decimal(report.focus, 4), place ?? "the camera does not say where its lens is",
      report.focusState?.rawValue,
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

extension FocusSweep.Step {
  /// Returns the line for this position of a search.
  package func line(
    _ track: FocusTrack, number: Int, of count: Int, width: Int
  ) -> String {
    let width = max(40, width)
    let place = Figures.decimal(diopters, 2)
    let padded = String(repeating: " ", count: max(0, 6 - place.count)) + place
    let text =
      "lens \(padded)  focus \(Figures.decimal(focus, 4)) "
      + "[\(track.bar(min(30, width - 40)))]  \(number) of \(count)"
    return PlainText.truncating(text, to: width - 1)
  }
}
