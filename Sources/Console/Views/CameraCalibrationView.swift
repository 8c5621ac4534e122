package import API

/// The calibration of a camera as lines for a terminal: the earlier state and the result.
package struct CameraCalibrationView: Sendable {
  /// The share of white samples above which a page is too bright.
  static let tooWhite = 0.01
  /// The least ratio of the darkest part to the brightest part of an evenly lit page.
  static let evenness = 0.7

  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the picture's state before the calibration, with warnings.
  package func lines(before: PreviewReport) -> [String] {
    ["before  " + words(before)] + warnings(before)
  }

  /// Returns the picture's state after the calibration, with warnings and the fixed values.
  package func lines(
    _ calibration: CalibrationReport, before: PreviewReport, after: PreviewReport
  ) -> [String] {
    let fixed = [
      calibration.exposureMicroseconds.map { "exposure \(Figures.decimal($0 / 1000, 2)) ms" },
      calibration.gain.map { "gain \(Figures.decimal($0, 2))" },
      calibration.redGain.map { "red \(Figures.decimal($0, 2))" },
      calibration.blueGain.map { "blue \(Figures.decimal($0, 2))" },
      calibration.dioptres.map { "lens \(Figures.decimal($0, 2))" },
    ].compactMap { $0 }
    return ["after   " + words(after)] + warnings(after)
      + ["fixed   " + (fixed.isEmpty ? "nothing" : fixed.joined(separator: ", "))].map {
        PlainText.truncating($0, to: width)
      }
  }

  private func words(_ report: PreviewReport) -> String {
    let exposure = report.exposureMicroseconds.map { Figures.decimal($0 / 1000, 2, unit: "ms") }
    return [
      "brightness \(Figures.decimal(brightness(report), 0))", exposure,
      report.gain.map { "gain \(Figures.decimal($0, 2))" },
      report.dioptres.map { "lens \(Figures.decimal($0, 2))" },
      "focus \(Figures.decimal(report.focus, 4))",
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// Returns the mean luma, 0...255.
  private func brightness(_ report: PreviewReport) -> Double? {
    report.samples.map { samples in
      Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
    }
  }

  private func warnings(_ report: PreviewReport) -> [String] {
    var texts: [String] = []
    if report.clippedHighlights > Self.tooWhite {
      let percent = Figures.decimal(report.clippedHighlights * 100, 1, unit: "%")
      texts.append("\(percent) of the picture is white: it is too bright, or something shines.")
    }
    if let share = darkestShare(report), share < Self.evenness {
      let percent = Figures.decimal(share * 100, 0, unit: "%")
      texts.append(
        "Its darkest ninth is \(percent) as bright as its brightest: the page is not empty, does not "
          + "fill the picture, or is lit unevenly.")
    }
    return texts.flatMap { PlainText.wrapping("warning: " + $0, to: width) }
  }

  /// Returns the ratio of the darkest to the brightest of nine equal parts, 0...1.
  private func darkestShare(_ report: PreviewReport) -> Double? {
    guard let samples = report.samples, report.width >= 3, report.height >= 3 else { return nil }
    var sums = [Double](repeating: 0, count: 9)
    var counts = sums
    for (index, sample) in samples.enumerated() {
      let part =
        index / report.width * 3 / report.height * 3 + index % report.width * 3 / report.width
      sums[part] += Double(sample)
      counts[part] += 1
    }
    let means = zip(sums, counts).map { $0 / $1 }
    guard let darkest = means.min(), let brightest = means.max(), brightest > 0 else { return nil }
    return darkest / brightest
  }
}
