package import API

/// The calibration of a camera on an empty page, with the pictures before and after it.
package struct PageCalibration: Encodable, Presentable {
  private let before: PreviewReport
  private let calibration: CalibrationReport
  private let after: PreviewReport

  /// Creates an answer from the service's answers.
  package init(before: PreviewReport, calibration: CalibrationReport, after: PreviewReport) {
    self.before = before
    self.calibration = calibration
    self.after = after
  }

  package var blocks: [TextBlock] {
    let lens = calibration.diopters.map { ["lens \(Figures.decimal($0, 2))"] } ?? []
    let fixed = calibration.lightWords + lens
    return PageState("after   ", after).blocks + [
      .cut("fixed   " + (fixed.isEmpty ? "nothing" : fixed.joined(separator: ", ")))
    ]
  }
}

/// The picture of an empty page, with warnings.
package struct PageState: Presentable {
  /// The share of white samples above which a page is too bright.
  static let tooWhite = 0.01
  /// The least ratio of the darkest part to the brightest part of an evenly lit page.
  static let evenness = 0.7

  private let label: String
  private let report: PreviewReport

  /// Creates an answer from a preview.
  ///
  /// - Parameter label: the text before the figures.
  package init(_ label: String, _ report: PreviewReport) {
    self.label = label
    self.report = report
  }

  package var blocks: [TextBlock] {
    let words = [
      "brightness \(Figures.decimal(brightness, 0))",
      report.exposureMicroseconds.map { Figures.decimal($0 / 1000, 2, unit: "ms") },
      report.gain.map { "gain \(Figures.decimal($0, 2))" },
      report.diopters.map { "lens \(Figures.decimal($0, 2))" },
      "focus \(Figures.decimal(report.focus, 4))",
    ].compactMap { $0 }
    return [TextBlock.line(label + words.joined(separator: ", "))]
      + warnings.map { TextBlock.paragraph("warning: " + $0) }
  }

  /// The mean luma, 0...255.
  private var brightness: Double? {
    report.samples.map { samples in
      Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
    }
  }

  private var warnings: [String] {
    var texts: [String] = []
    if report.clippedHighlights > Self.tooWhite {
      let percent = Figures.decimal(report.clippedHighlights * 100, 1, unit: "%")
      texts.append("\(percent) of the picture is white: it is too bright, or something shines.")
    }
    if let share = darkestShare, share < Self.evenness {
      let percent = Figures.decimal(share * 100, 0, unit: "%")
      texts.append(
        "Its darkest ninth is \(percent) as bright as its brightest: the page is not empty, does not "
          + "fill the picture, or is lit unevenly.")
    }
    return texts
  }

  /// The ratio of the darkest to the brightest of nine equal parts, 0...1.
  private var darkestShare: Double? {
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
