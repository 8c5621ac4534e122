// The views of the leveling of an accelerometer.

extension LevelGuide.Note: Presentable {
  package var blocks: [TextBlock] {
    switch self {
    case .wanted(let pose):
      let number = (LevelPose.allCases.firstIndex(of: pose) ?? 0) + 1
      let count = LevelPose.allCases.count
      return [.paragraph("\(number) of \(count): \(pose.instruction) Then leave it alone.")]
    case .taken(let pose, let noise):
      let figure = Figures.decimal(noise / 9.80665 * 1000, 1)
      return [.line("    \(pose.rawValue) taken, noise \(figure) thousandths of g")]
    case .notThere(let pose, let degrees, let earlier):
      return [
        .paragraph(
          "    It rests at \(Figures.decimal(degrees, 0))° to \"\(earlier.rawValue)\"; "
            + "\"\(pose.rawValue)\" is at a right angle to it.")
      ]
    case .implausible(let magnitude):
      return [
        .paragraph(
          "    It rests, but \(Figures.decimal(magnitude, 2)) m/s² are measured, which is not "
            + "gravity; look at the sensor.")
      ]
    case .finished(let result): return result.blocks
    case .failed(let reason): return [.paragraph(reason)]
    }
  }
}

/// The view of the matrix, and of the agreement of the positions with it.
extension LevelResult: Presentable {
  package var blocks: [TextBlock] {
    let table = TextTable(
      ["position", .right("x m/s²"), .right("y m/s²"), .right("z m/s²"), .right("error °")],
      measurements.map { measurement in
        [measurement.pose.rawValue] + measurement.sensor.map { Figures.decimal($0, 2) }
          + [Figures.decimal(measurement.errorDegrees, 1)]
      })
    let nearness = "\(Figures.decimal(rightAngledDegrees, 1))° away"
    let verdict = isRightAngled ? nearness : nearness + ", too far to be what was meant"
    return [
      .table(table), .labeled("measured", [measured], indent: 14),
      .labeled("right-angled", ["\(rightAngled) (\(verdict))"], indent: 14),
    ]
  }
}
