import Devices
import Glibc

/// The exposure of a frame, and the state of the automatic.
struct SimulatedExposure: Sendable, Hashable {
  var duration: Duration
  var gain: Double
  var state: AdjustmentState
  /// Whether the exposure makes the frame longer instead of raising the gain.
  var isFixed: Bool
}

/// The white balance of a frame, and the state of the automatic.
struct SimulatedWhiteBalance: Sendable, Hashable {
  var gains: WhiteBalanceGains
  var state: AdjustmentState
}

/// The lens during a frame, and the state of the automatic.
struct SimulatedLens: Sendable, Hashable {
  var position: Double
  var state: FocusState
}

/// The adjustments of a simulated camera's automatics, frame by frame.
///
/// Exposure and gains move in equal ratios, and the lens moves in equal steps. The last frame has
/// the final values.
struct SimulatedAdjustments: Sendable, Hashable {
  /// The number of frames of an adjustment; 0 counts as 1.
  var frameCount: Int

  /// The exposure of a camera that starts with locked controls.
  static let initialExposure = SimulatedExposure(
    duration: .milliseconds(10), gain: 1, state: .locked, isFixed: false)
  /// The white balance of a camera that starts with locked controls.
  static let initialWhiteBalance = SimulatedWhiteBalance(
    gains: WhiteBalanceGains(red: 1, blue: 1), state: .locked)
  /// The lens of a camera that starts with locked controls.
  static let initialLens = SimulatedLens(position: 1, state: .idle)

  private var steps: ClosedRange<Int> { 1...max(1, frameCount) }

  private func share(_ step: Int) -> Double { Double(step) / Double(steps.upperBound) }

  private func state(_ step: Int) -> AdjustmentState {
    step == steps.upperBound ? .converged : .searching
  }

  func exposures(
    from start: SimulatedExposure, to end: (duration: Duration, gain: Double)
  ) -> [SimulatedExposure] {
    steps.map { step in
      guard step < steps.upperBound else {
        return SimulatedExposure(
          duration: end.duration, gain: end.gain, state: .converged, isFixed: false)
      }
      let nanoseconds = ratio(
        from: Double(start.duration.wholeNanoseconds), to: Double(end.duration.wholeNanoseconds),
        step)
      return SimulatedExposure(
        duration: .microseconds(max(1, Int64(nanoseconds / 1000))),
        gain: ratio(from: start.gain, to: end.gain, step), state: state(step), isFixed: false)
    }
  }

  func whiteBalances(
    from start: WhiteBalanceGains, to end: WhiteBalanceGains
  ) -> [SimulatedWhiteBalance] {
    steps.map { step in
      let gains =
        step == steps.upperBound
        ? end
        : WhiteBalanceGains(
          red: ratio(from: start.red, to: end.red, step),
          blue: ratio(from: start.blue, to: end.blue, step))
      return SimulatedWhiteBalance(gains: gains, state: state(step))
    }
  }

  /// Plans the frames of a focus scan, of which the last one is in focus.
  func scan(from start: Double, to end: Double) -> [SimulatedLens] {
    steps.map { step in
      step == steps.upperBound
        ? SimulatedLens(position: end, state: .focused)
        : SimulatedLens(position: start + (end - start) * share(step), state: .scanning)
    }
  }

  private func ratio(from start: Double, to end: Double, _ step: Int) -> Double {
    exp2(log2(max(start, 1e-9)) + log2(max(end / start, 1e-9)) * share(step))
  }
}
