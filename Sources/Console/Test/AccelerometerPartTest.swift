package import API

/// A test of whether the accelerometer measures gravity and follows the rig's rotation.
package struct AccelerometerPartTest: PartTest {
  /// The picture rotations for the rig's positions in degrees.
  static let angles = [0, 90, 180, 270]

  /// The part, see ``PartTest``.
  package let part = TestPart.accelerometer
  private let request: AccelerometerTestRequest
  private let isStill: Bool
  private let seconds: Int

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - isStill: whether to skip the positions that need turning.
  ///   - seconds: the time to wait for each position.
  package init(_ request: AccelerometerTestRequest, isStill: Bool, seconds: Int) {
    self.request = request
    self.isStill = isStill
    self.seconds = seconds
  }

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let still = request.seconds ?? 3
    guide.say("Let the rig stand still for \(still) s.")
    let report = try await guide.wait("measuring", seconds: still) { () throws(RigClientError) in
      try await client.call(Operations.testAccelerometer, request)
    }
    var result = Self.result(report)
    if result.verdict == .passed, !isStill {
      try await turn(client, guide, &result)
    }
    return [result]
  }

  /// Converts the report to a result.
  static func result(_ report: AccelerometerTestReport) -> TestResult {
    let vector = { (values: [Double]?) in
      values.map { $0.map { Figures.decimal($0, 2) }.joined(separator: " ") } ?? "-"
    }
    return TestResult(
      .accelerometer, report.problem,
      seen: [
        "x y z are \(vector(report.mean)) m/s², together "
          + "\(Figures.decimal(report.magnitude, 2)) m/s²",
        "noise \(vector(report.noise)) m/s², \(Figures.decimal(report.rate, 1)) readings a second",
        "pictures are turned by \(report.captureAngle)°",
      ],
      figures: [
        "magnitudeMetersPerSecondSquared": report.magnitude,
        "noiseMetersPerSecondSquared": report.noise?.max(), "readingsPerSecond": report.rate,
        "samples": Double(report.samples), "captureAngleDegrees": Double(report.captureAngle),
      ])
  }

  /// Asks for quarter turns until all positions were seen.
  private func turn(
    _ client: RigClient, _ guide: TestGuide, _ result: inout TestResult
  ) async throws(RigClientError) {
    let clock = ContinuousClock()
    var positions: Set<Int> = [try await client.status().rotation.captureAngle]
    while positions.count < Self.angles.count {
      let list = positions.sorted().map { "\($0)°" }.joined(separator: ", ")
      guide.say(
        "\(list) seen. Turn the rig a quarter further about the camera's axis and hold it, within "
          + "\(seconds) s.")
      let end = clock.now.advanced(by: .seconds(seconds))
      let angle = try await guide.wait("waiting for the next position", seconds: seconds) {
        () throws(RigClientError) -> Int? in
        try await self.angle(client, notIn: positions, until: end)
      }
      guard let angle else {
        result.verdict = .failed
        result.seen.append("only \(list) of 4 positions were seen")
        result.advice.append(
          "Turn the rig upright, not flat. Check \"mount_matrix\" in the section \"accelerometer\" "
            + "if a position is never seen; \"--still\" leaves the turning out.")
        return
      }
      positions.insert(angle)
    }
    result.seen.append("all 4 positions were seen")
  }

  /// Returns the first new picture rotation; `nil` at the timeout.
  private func angle(
    _ client: RigClient, notIn seen: Set<Int>, until end: ContinuousClock.Instant
  ) async throws(RigClientError) -> Int? {
    while ContinuousClock.now < end, !Task.isCancelled {
      // A service that no longer answers is noticed by a question, and not by a missing event.
      try? await Task.sleep(for: .milliseconds(250))
      let angle = try await client.status().rotation.captureAngle
      if !seen.contains(angle) { return angle }
    }
    return nil
  }
}
