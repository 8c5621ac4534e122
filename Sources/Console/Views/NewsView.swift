import API

/// What changes on a rig, one line for each change.
public struct NewsView {
  private let width: Int
  private var firstTime: Int64?

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 20 or more.
  public init(width: Int = 80) {
    self.width = max(20, width)
  }

  /// The line for a change: seconds since the first one, then what it is.
  ///
  /// - Returns: the line, at most as wide as the terminal; `nil` when there is nothing to show.
  public mutating func line(_ news: RigNews) -> String? {
    switch news {
    case .listening:
      return nil
    case .missed(let missed):
      let count = missed.count.map { "\($0) events" } ?? "events of an earlier run"
      return PlainText.truncating("        -  \(count) were missed", to: width)
    case .event(let event, _):
      let first = firstTime ?? event.timeNanoseconds
      firstTime = first
      let seconds = Double(event.timeNanoseconds) / 1e9 - Double(first) / 1e9
      let stamp = Figures.decimal(seconds, 3)
      let pad = String(repeating: " ", count: max(0, 9 - stamp.count))
      return PlainText.truncating(
        "\(pad)\(stamp)  \(PlainText.escaping(text(event.payload)))", to: width)
    }
  }

  private func text(_ payload: RigEvent.Payload) -> String {
    switch payload {
    case .readiness(let report):
      return (["readiness \(report.state)"] + report.reasons).joined(separator: ", ")
    case .press(let report):
      return PressView(width: width).line(report)
    case .thermal(let report):
      let zones = report.temperatures.map { "\($0.zone) \(Figures.decimal($0.celsius, 1)) °C" }
      return (["thermal \(report.state)"] + zones).joined(separator: ", ")
    case .session(let report):
      let camera = report.camera.map { ", \($0.model)" } ?? ""
      return "session \(report.state)\(camera)"
    case .delivery(let report):
      let press = report.press.map { "press \($0)" } ?? report.itemID
      let receipt = report.receipt.map { ", receipt \($0.status)" } ?? ""
      return
        "delivery of \(press) to \(report.target) \(report.state)\(report.detail.map { ": \($0)" } ?? "")\(receipt)"
    case .rotation(let report):
      return "rotation capture \(report.captureAngle)°, EXIF \(report.exifOrientation), "
        + "accelerometer \(report.accelerometer)"
    }
  }
}
