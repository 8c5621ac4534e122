package import API

/// A preview with its sharpness and exposure as lines for a terminal.
package struct PreviewView: Sendable {
  /// The maximum number of lines below the picture.
  package static let footRows = 3

  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the picture in characters, and the lines below it.
  package func lines(
    _ report: PreviewReport, _ track: FocusTrack, _ page: PagePreviewReport? = nil
  ) -> [String] {
    CharacterPicture.lines(report, page) + foot(report, track, page)
  }

  /// Returns two lines: the sharpness with its bar and the best one; light, lens and age.
  ///
  /// If a page was looked for, a third line has the score of the aim, the angle of the text and the
  /// next step.
  package func foot(
    _ report: PreviewReport, _ track: FocusTrack, _ page: PagePreviewReport? = nil
  ) -> [String] {
    let figure = Figures.decimal(track.now, 4)
    let best = Figures.decimal(track.best, 4)
    let words = [
      "white \(percent(report.clippedHighlights))", "black \(percent(report.clippedShadows))",
      report.exposureMicroseconds.map { Figures.decimal($0 / 1000, 1, unit: "ms") },
      report.gain.map { "gain \(Figures.decimal($0, 2))" },
      report.colorTemperature.map { "\($0) K" },
      report.diopters.map { "lens \(Figures.decimal($0, 2))" }, report.focusState?.rawValue,
      "\(Figures.decimal(report.ageMilliseconds, 0, unit: "ms")) old", "#\(report.frame)",
    ]
    let aim = page.map { page in
      let text = page.textAngle.map { "text \($0)°  " } ?? ""
      return "aim \(Figures.decimal(page.aim, 2))  \(text)\(page.advice)"
    }
    return [
      "focus \(figure) [\(track.bar(min(30, width - 34)))] best \(best)",
      words.compactMap { $0 }.joined(separator: "  "), aim,
    ].compactMap { $0 }.map { PlainText.truncating(PlainText.escaping($0), to: width - 1) }
  }

  /// Returns the lines in place of a missing picture.
  package func lines(refusal: APIError) -> [String] {
    PlainText.wrapping(PlainText.escaping(refusal.message), to: width - 1)
  }

  private func percent(_ share: Double) -> String { Figures.decimal(share * 100, 1, unit: "%") }
}
