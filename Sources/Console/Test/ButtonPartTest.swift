package import API
import Devices

/// A test of whether a button's press is seen, and of the gesture that it is taken for.
package struct ButtonPartTest: PartTest {
  /// The part, see ``PartTest``.
  package let part = TestPart.button
  private let request: ButtonTestRequest

  package init(_ request: ButtonTestRequest) { self.request = request }

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let status = try await client.status()
    let name = request.button ?? status.buttons.first?.name
    let seconds = request.seconds ?? 20
    let times = request.presses ?? 1
    let test = RunningTest { () throws(RigClientError) in
      try await client.call(Operations.testButton, request)
    }
    let report = try await guide.wait("waiting for the button", seconds: seconds) {
      () throws(RigClientError) in
      try await test.finish {
        guide.say(
          "Press the button\(name.map { " \"\($0)\"" } ?? "") "
            + (times == 1 ? "now and let it go" : "\(times) times now")
            + ", within \(seconds) s. No picture is taken.")
      }
    }
    return [Self.result(report)]
  }

  /// Converts the report to a result.
  static func result(_ report: ButtonTestReport) -> TestResult {
    var seen: [String] = []
    for (index, press) in report.presses.enumerated() {
      let held = press.heldMilliseconds.map {
        "held for \(Figures.decimal($0, 0, unit: "ms"))"
      }
      let bounce =
        press.edges > 2
        ? "bounce of \(Figures.decimal(press.bounceMilliseconds, 1, unit: "ms"))" : "no bounce"
      seen.append(
        "press \(index + 1) after \(Figures.decimal(press.milliseconds / 1000, 2, unit: "s")), "
          + "\(held ?? "not let go"), \(press.edges.counted("edge")), \(bounce)")
    }
    for gesture in report.gestures {
      let action = gesture.action.map { ", which would be \($0)" } ?? ", which does nothing"
      seen.append("understood as \(gesture.gesture)\(action)")
    }
    if report.presses.isEmpty, report.edgeCount > 0 {
      seen.append(
        report.edgeCount.counted("edge came that makes no press", "edges came that make no press"))
    }
    return TestResult(
      .button, subject: report.button, report.problem, seen: seen,
      figures: [
        "presses": Double(report.presses.count), "edges": Double(report.edgeCount),
        "lostEdges": Double(report.lostEdges),
        "bounceMilliseconds": report.presses.map(\.bounceMilliseconds).max(),
        "heldMilliseconds": report.presses.compactMap(\.heldMilliseconds).max(),
      ])
  }
}
