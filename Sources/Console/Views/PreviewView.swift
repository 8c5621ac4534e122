public import API

/// A preview, and how sharp and how well exposed it is, as lines for a terminal.
public struct PreviewView: Sendable {
  /// How many lines stand below the picture.
  public static let footRows = 2

  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// The picture in characters, and the lines below it.
  public func lines(_ report: PreviewReport, _ track: FocusTrack) -> [String] {
    CharacterPicture.lines(report) + foot(report, track)
  }

  /// The sharpness with its bar and the best so far; exposure, lens and age.
  public func foot(_ report: PreviewReport, _ track: FocusTrack) -> [String] {
    let figure = Figures.decimal(track.now, 4)
    let best = Figures.decimal(track.best, 4)
    let words = [
      "white \(percent(report.clippedHighlights))", "black \(percent(report.clippedShadows))",
      report.exposureMicroseconds.map { Figures.decimal($0 / 1000, 1, unit: "ms") },
      report.gain.map { "gain \(Figures.decimal($0, 2))" },
      report.dioptres.map { "lens \(Figures.decimal($0, 2))" }, report.focusState,
      "\(Figures.decimal(report.ageMilliseconds, 0, unit: "ms")) old", "#\(report.frame)",
    ]
    return [
      "focus \(figure) [\(track.bar(min(30, width - 34)))] best \(best)",
      words.compactMap { $0 }.joined(separator: "  "),
    ].map { PlainText.truncating(PlainText.escaping($0), to: width - 1) }
  }

  /// What stands in place of a picture that there is not.
  public func lines(refusal: APIError) -> [String] {
    PlainText.wrapping(PlainText.escaping(refusal.message), to: width - 1)
  }

  private func percent(_ share: Double) -> String { Figures.decimal(share * 100, 1, unit: "%") }
}
