import Capture
import Devices
import TestSupport
import Testing

@Suite struct ConvergenceDetectorTests {
  private static let start = MonotonicInstant(nanoseconds: 10_000_000_000)

  private static func at(_ milliseconds: Int) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  /// Returns a frame, one each 40 ms after the start, without flags of its automatic modes.
  private static func frame(_ number: Int) -> FrameInfo {
    FrameInfo(id: UInt64(number + 1), sequence: UInt64(number), timestamp: at(number * 40))
  }

  private func detector(
    _ aspects: Set<ConvergenceDetector.Aspect>, ignoring count: Int = 0
  ) -> ConvergenceDetector {
    ConvergenceDetector(
      aspects: aspects, start: Self.start, limit: .seconds(2), ignoredFrameCount: count)
  }

  /// Feeds frames, one each 40 ms, and returns the number of the frame that ended the wait.
  private func end(
    of detector: inout ConvergenceDetector, feeding make: (Int) -> FrameInfo
  ) -> Int? {
    (0..<100).first { detector.add(make($0), now: Self.at($0 * 40 + 120)) != nil }
  }

  struct Flag: Sendable {
    var aspect: ConvergenceDetector.Aspect
    var set: @Sendable (inout FrameInfo, Bool) -> Void
  }

  static let flags = [
    Flag(aspect: .exposure) { $0.exposureState = $1 ? .converged : .searching },
    Flag(aspect: .exposure) { $0.exposureState = $1 ? .locked : .searching },
    Flag(aspect: .whiteBalance) { $0.whiteBalanceState = $1 ? .converged : .searching },
    Flag(aspect: .focus) { $0.focusState = $1 ? .focused : .scanning },
    Flag(aspect: .focus) { $0.focusState = $1 ? .focused : .failed },
  ]

  @Test(arguments: flags.indices) func `a flag of the camera counts`(index: Int) {
    let flag = Self.flags[index]
    var detector = detector([flag.aspect])
    let number = end(of: &detector) { number in
      var frame = Self.frame(number)
      flag.set(&frame, number >= 7)
      return frame
    }
    #expect(number == 7)
  }

  @Test func `without a flag twenty frames must agree in white balance`() {
    var detector = detector([.whiteBalance])
    let number = end(of: &detector) { number in
      var frame = Self.frame(number)
      // From the fourth frame on, the values differ by less than 1 %.
      let red = number < 3 ? 1 + Double(number) / 10 : 1.8 + Double(number % 2) / 100
      frame.whiteBalanceGains = WhiteBalanceGains(red: red, blue: 1.6)
      return frame
    }
    #expect(number == 22)
    #expect(
      detector.outcome
        == .converged(
          CameraCalibration(whiteBalanceGains: WhiteBalanceGains(red: 1.8, blue: 1.6))))
  }

  @Test func `without a flag five frames must agree in focus`() {
    var detector = detector([.focus])
    let number = end(of: &detector) { number in
      var frame = Self.frame(number)
      frame.lensPosition = number < 3 ? Double(number) : 5
      return frame
    }
    #expect(number == 7)
  }

  /// A Raspberry Pi goes a twentieth of the way to the right gains with each frame.
  @Test(arguments: [1.2, 1.5, 3.0]) func `gains that creep are near their end when they are stable`(
    start: Double
  ) throws {
    var detector = ConvergenceDetector(
      aspects: [.whiteBalance], start: Self.start, limit: .seconds(10), ignoredFrameCount: 0)
    var red = start
    _ = end(of: &detector) { number in
      var frame = Self.frame(number)
      red += (2 - red) / 20
      frame.whiteBalanceGains = WhiteBalanceGains(red: red, blue: 1.6)
      return frame
    }
    guard case .converged(let found)? = detector.outcome else {
      Issue.record("\(String(describing: detector.outcome))")
      return
    }
    let gains = try #require(found.whiteBalanceGains)
    #expect(abs(gains.red / 2 - 1) < 0.01, "\(gains)")
  }

  @Test func `exposure and gain may change while their product stays`() {
    var detector = detector([.exposure])
    let number = end(of: &detector) { number in
      var frame = Self.frame(number)
      frame.exposureDuration = .milliseconds(number % 2 == 0 ? 10 : 20)
      frame.analogueGain = number % 2 == 0 ? 4 : 2
      return frame
    }
    #expect(number == 4)
  }

  @Test func `a slow drift does not settle`() {
    var detector = detector([.whiteBalance])
    _ = end(of: &detector) { number in
      var frame = Self.frame(number)
      frame.whiteBalanceGains = WhiteBalanceGains(red: 2, blue: 1 + Double(number) * 0.01)
      return frame
    }
    guard case .timedOut(let unsettled, let last)? = detector.outcome else {
      Issue.record("\(String(describing: detector.outcome))")
      return
    }
    #expect(unsettled == [.whiteBalance])
    #expect(last?.whiteBalanceGains?.red == 2)
  }

  @Test func `all aspects must settle in one frame`() {
    var detector = detector([.exposure, .focus])
    let number = end(of: &detector) { number in
      var frame = Self.frame(number)
      frame.exposureState = (3...5).contains(number) || number > 8 ? .converged : .searching
      frame.focusState = number == 8 || number > 10 ? .focused : .scanning
      return frame
    }
    #expect(number == 11)
  }

  @Test func `frames from before the change and during the control delay do not count`() {
    var detector = detector([.exposure], ignoring: 4)
    let number = end(of: &detector) { number in
      var frame = Self.frame(number)
      frame.timestamp = Self.at((number - 3) * 40)
      frame.exposureState = .locked
      return frame
    }
    // Three frames are from before, four belong to the delay.
    #expect(number == 7)
  }

  @Test func `the timeout ends a wait without frames`() {
    var detector = detector([.exposure, .focus])
    #expect(detector.advance(to: Self.at(1999)) == nil)
    let outcome = detector.advance(to: Self.at(2000))
    #expect(outcome == .timedOut(unsettled: [.exposure, .focus], last: nil))
    // Later frames do not change the outcome.
    var frame = Self.frame(60)
    frame.exposureState = .converged
    frame.focusState = .focused
    #expect(detector.add(frame, now: Self.at(2500)) == outcome)
  }

  @Test func `an aspect without an automatic mode is ignored`() {
    #expect(ConvergenceDetector.aspects(of: CameraCapabilities()).isEmpty)
    let some = CameraCapabilities(
      exposureModes: [.continuousAutoExposure], whiteBalanceModes: [.custom],
      focusModes: [.autoFocus, .locked])
    #expect(ConvergenceDetector.aspects(of: some) == [.exposure, .focus])
    var detector = detector([])
    #expect(end(of: &detector) { Self.frame($0) } == 0)
  }

  @Test(arguments: UInt64(1)...200) func `any frames end the wait once and in time`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let aspects = Set(
      ConvergenceDetector.Aspect.allCases.filter { _ in Bool.random(using: &random) })
    var detector = ConvergenceDetector(
      aspects: aspects, start: Self.start, limit: .seconds(2),
      ignoredFrameCount: Int.random(in: 0...5, using: &random))
    var now = Self.start
    var ended: ConvergenceDetector.Outcome?
    for number in 0..<120 {
      now = now.advanced(by: .milliseconds(Int.random(in: 1...80, using: &random)))
      var frame = Self.frame(number)
      frame.timestamp = now.advanced(by: .milliseconds(-Int.random(in: 0...100, using: &random)))
      frame.exposureState =
        [nil, .searching, .converged, .locked].randomElement(using: &random) ?? nil
      frame.exposureDuration = [nil, .milliseconds(10)].randomElement(using: &random) ?? nil
      frame.analogueGain = [nil, 1, 2].randomElement(using: &random) ?? nil
      frame.whiteBalanceGains =
        [nil, WhiteBalanceGains(red: 1, blue: 2), WhiteBalanceGains(red: 1.5, blue: .nan)]
        .randomElement(using: &random) ?? nil
      frame.focusState =
        [nil, .idle, .scanning, .focused, .failed].randomElement(using: &random) ?? nil
      frame.lensPosition = [nil, 0, 2].randomElement(using: &random) ?? nil
      let outcome =
        Bool.random(using: &random)
        ? detector.add(frame, now: now) : detector.advance(to: now)
      if let ended {
        #expect(outcome == ended, "seed \(seed): the outcome changed")
      } else if let outcome {
        ended = outcome
        switch outcome {
        case .converged(let calibration):
          #expect(now < Self.at(2000), "seed \(seed): late")
          #expect(calibration == CameraCalibration(frame), "seed \(seed)")
          #expect(!aspects.contains(.exposure) || frame.exposureState != .searching, "seed \(seed)")
          let isFocused = [.focused, .idle, nil].contains(frame.focusState)
          #expect(!aspects.contains(.focus) || isFocused, "seed \(seed)")
        case .timedOut(let unsettled, _):
          #expect(now >= Self.at(2000), "seed \(seed): early")
          #expect(unsettled.isSubset(of: aspects), "seed \(seed)")
        }
      } else {
        #expect(now < Self.at(2000), "seed \(seed): no end")
      }
    }
  }
}
