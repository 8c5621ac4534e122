public import API

/// Whether the accelerometer measures gravity, and follows when the rig is turned.
public struct AccelerometerPartTest: PartTest {
  /// How far a picture must be turned in the positions of a rig.
  static let angles = [0, 90, 180, 270]

  /// See ``PartTest``.
  public let part = TestPart.accelerometer
  private let request: AccelerometerTestRequest
  private let isStill: Bool
  private let seconds: Int

  /// Makes a test.
  ///
  /// - Parameters:
  ///   - isStill: whether the rig is not to be turned.
  ///   - seconds: how long to wait for each position.
  public init(_ request: AccelerometerTestRequest, isStill: Bool, seconds: Int) {
    self.request = request
    self.isStill = isStill
    self.seconds = seconds
  }

  /// See ``PartTest``.
  public func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let still = request.seconds ?? 3
    guide.say("Let the rig stand still for \(still) s.")
    let report = try await guide.wait("measuring", seconds: still) { () throws(RigClientError) in
      try await client.testAccelerometer(request)
    }
    var result = Self.result(report)
    if result.verdict == .passed, !isStill {
      try await turn(client, guide, &result)
    }
    return [result]
  }

  /// What the report means.
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

  /// Asks for a quarter turn until all positions were seen.
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

  /// The first angle of a picture that was not seen before; `nil` when there is none in time.
  private func angle(
    _ client: RigClient, notIn seen: Set<Int>, until end: ContinuousClock.Instant
  ) async throws(RigClientError) -> Int? {
    while ContinuousClock.now < end, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(250))
      let angle = try await client.status().rotation.captureAngle
      if !seen.contains(angle) { return angle }
    }
    return nil
  }
}
