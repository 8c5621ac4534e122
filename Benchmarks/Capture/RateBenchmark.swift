import Capture
import Devices
import SimulatedDevices

/// The benchmark of the sustained number of stored pictures a minute, at each quality.
struct RateBenchmark {
  /// The promised rate: 1000 pages an hour.
  private static let promised = 1000.0 / 60

  let seconds: Int
  let size: FrameSize
  let frameRate: Double
  let directory: String

  func run() async throws {
    print(
      "\nShots a minute, sustained: \(size), \(seconds) s each, pressed whenever a press is taken; "
        + "the camera is painted by the same processor")
    print(
      "| quality | stored a minute | refused | frames a minute | multiple of 1000 pages an hour "
        + "| share of what the bare library encodes on one core |")
    print("|---|---|---|---|---|---|")
    for quality in QualityPrioritization.allCases {
      try await measure(quality)
    }
  }

  private func measure(_ quality: QualityPrioritization) async throws {
    var model = SimulatedCameraModel()
    if size.width > 2304 {
      // The model is a Camera Module with 12 megapixels (IMX477) at the rate of its full mode.
      model.modes = [
        SimulatedCameraModel.SensorMode(
          size: size, maximumFrameRate: 10, readoutDuration: .milliseconds(99))
      ]
    }
    let bench = try await BenchmarkSession(
      directory: directory + "-" + quality.rawValue, size: size, frameRate: frameRate,
      models: [model], measuresEncoding: false
    ) {
      $0.settings.prioritization = quality
      // Otherwise the session would lower the quality, which is not to be measured.
      $0.settings.isFastCapturePrioritized = false
    }
    // The first picture touches the memory.
    _ = await bench.session.outcome(
      of: try await bench.session.press(at: bench.clock.now, source: .button))
    let framesBefore = await bench.session.currentStatus.frameCount
    let before = await bench.session.pressCounts
    let began = bench.clock.now
    let end = began.advanced(by: .seconds(seconds))
    while bench.clock.now < end {
      if bench.session.readiness.state == .ready {
        _ = try await bench.session.press(at: bench.clock.now, source: .button)
      } else {
        try await bench.clock.sleep(for: .milliseconds(1))
      }
    }
    let minutes = began.duration(to: bench.clock.now) / .seconds(60)
    let after = await bench.session.pressCounts
    let frames = await bench.session.currentStatus.frameCount - framesBefore
    await bench.stop()
    let rate = Double(after.stored - before.stored) / minutes
    let bare = bareRate()
    print(
      "| \(quality.rawValue) | \(rate.twoDecimals) | \(after.refused - before.refused) | "
        + "\((Double(frames) / minutes).twoDecimals) | \((rate / Self.promised).twoDecimals) | "
        + "\((rate / bare).twoDecimals) |")
  }

  /// Returns the number of such frames that the bare library alone encodes in a minute.
  private func bareRate() -> Double {
    let frame = BenchmarkFrame(width: size.width, height: size.height)
    let encoder = BareEncoder(frame.format)
    let clock = SystemMonotonicClock()
    let times = frame.bytes.withUnsafeBytes { bytes in
      (0..<10).map { _ in
        let began = clock.now
        _ = encoder.encode(bytes, quality: 90)
        return began.duration(to: clock.now).inMilliseconds
      }
    }
    return 60_000 / max(0.001, times.median)
  }
}
