/// The leveling of an accelerometer as lines for a terminal.
package struct LevelView: Sendable {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the text of a message.
  package func lines(_ note: LevelGuide.Note) -> [String] {
    let count = LevelPose.allCases.count
    switch note {
    case .wanted(let pose):
      let number = (LevelPose.allCases.firstIndex(of: pose) ?? 0) + 1
      return wrapped("\(number) of \(count): \(pose.instruction) Then leave it alone.")
    case .taken(let pose, let noise):
      let milligravities = noise / 9.80665 * 1000
      return [
        "    \(pose.rawValue) taken, noise \(Figures.decimal(milligravities, 1)) thousandths of g"
      ]
    case .notThere(let pose, let degrees, let earlier):
      return wrapped(
        "    It rests at \(Figures.decimal(degrees, 0))° to \"\(earlier.rawValue)\"; "
          + "\"\(pose.rawValue)\" is at a right angle to it.")
    case .implausible(let magnitude):
      return wrapped(
        "    It rests, but \(Figures.decimal(magnitude, 2)) m/s² are measured, which is not gravity; "
          + "look at the sensor.")
    case .finished(let result): return lines(result)
    case .failed(let reason): return wrapped(reason)
    }
  }

  /// Returns the matrix, and the agreement of the positions with it.
  package func lines(_ result: LevelResult) -> [String] {
    var table = TextTable(columns: [
      .init("position"), .init("x m/s²", isRightAligned: true),
      .init("y m/s²", isRightAligned: true), .init("z m/s²", isRightAligned: true),
      .init("error °", isRightAligned: true),
    ])
    for measurement in result.measurements {
      table.add(
        [measurement.pose.rawValue] + measurement.sensor.map { Figures.decimal($0, 2) }
          + [Figures.decimal(measurement.errorDegrees, 1)])
    }
    let nearness = Figures.decimal(result.rightAngledDegrees, 1)
    return table.lines(width: width)
      + PlainText.labeled("measured", [result.measured], indent: 14, to: width)
      + PlainText.labeled(
        "right-angled",
        [
          "\(result.rightAngled) (\(nearness)° away"
            + (result.isRightAngled ? ")" : ", too far to be what was meant)")
        ], indent: 14, to: width)
  }

  private func wrapped(_ text: String) -> [String] {
    // Wrapping splits words at spaces, which would remove an indent.
    let indent = String(repeating: " ", count: text.prefix { $0 == " " }.count)
    return PlainText.wrapping(PlainText.escaping(text), to: width - indent.count).map {
      indent + $0
    }
  }
}
