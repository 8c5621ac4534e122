package import Devices

/// Detects from a camera's frames when its automatics have settled, and on which values.
///
/// The detector is driven with frames and the time and knows neither camera nor clock. A camera's
/// own convergence flag counts where it has one. Otherwise its values must agree to 1 % over five
/// frames, the gains of red and blue over twenty. All watched aspects have to have settled in one
/// and the same frame.
///
/// A Raspberry Pi has no flag for white balance. Each frame moves the gains by a twentieth of the
/// way (`speed` of `rpi.awb` in libcamera's tuning files). After a change of 1 % in five frames,
/// more than 4 % are still to come; after 1 % in twenty frames, less than 1 %.
///
/// | aspect | with a flag | without |
/// |---|---|---|
/// | exposure | `exposureState` is not `searching` | exposure · gains |
/// | white balance | `whiteBalanceState` is not `searching` | the gains of red and blue |
/// | focus | `focusState` is `focused`, or `idle` | the lens position |
///
/// A focus scan that fails does not settle: the page may be moved meanwhile, and the timeout ends
/// the wait.
package struct ConvergenceDetector: Sendable, Hashable {
  /// The aspects that can be watched.
  package enum Aspect: String, Sendable, Hashable, Codable, CaseIterable {
    /// Exposure duration and gains.
    case exposure
    /// The gains of red and blue.
    case whiteBalance
    /// The lens.
    case focus
  }

  /// The result of the wait.
  package enum Outcome: Sendable, Hashable {
    /// All watched aspects have settled.
    case converged(CameraCalibration)
    /// The timeout has passed with aspects unsettled; includes the values of the last frame.
    case timedOut(unsettled: Set<Aspect>, last: CameraCalibration?)
  }

  /// The number of frames that must agree where a camera has no flag for exposure or focus.
  package static let stableFrameCount = 5
  /// The number of frames that must agree where a camera has no flag for white balance.
  package static let stableGainsFrameCount = 20
  /// The maximum difference between agreeing values, as a share.
  package static let tolerance = 0.01

  /// The watched aspects.
  package let aspects: Set<Aspect>
  /// The result of the wait; `nil` while it goes on.
  package private(set) var outcome: Outcome?

  private let start: MonotonicInstant
  private let deadline: MonotonicInstant
  private var framesToIgnore: Int
  private var exposures = StableValues(count: stableFrameCount, tolerance: tolerance)
  private var gains = StableValues(count: stableGainsFrameCount, tolerance: tolerance)
  private var lens = StableValues(count: stableFrameCount, tolerance: tolerance)
  private var unsettled: Set<Aspect>
  private var last: CameraCalibration?

  /// Begins a wait.
  ///
  /// - Parameters:
  ///   - aspects: the aspects to watch; with none, the first frame that counts ends the wait.
  ///   - start: the time at which the automatics were started; frames read out earlier do not
  ///     count.
  ///   - limit: the timeout from `start`, above 0.
  ///   - ignoredFrameCount: the number of frames after `start` that still show the old controls, 0
  ///     or more; a camera's controls take effect 2 to 3 frames late.
  package init(
    aspects: Set<Aspect> = Set(Aspect.allCases), start: MonotonicInstant,
    limit: Duration = .seconds(5), ignoredFrameCount: Int = 4
  ) {
    self.aspects = aspects
    self.start = start
    deadline = start.advanced(by: limit)
    framesToIgnore = max(0, ignoredFrameCount)
    unsettled = aspects
  }

  /// Returns the aspects that can settle on a camera: those that it has an automatic for.
  package static func aspects(of capabilities: CameraCapabilities) -> Set<Aspect> {
    var aspects: Set<Aspect> = []
    if capabilities.exposureModes.contains(.continuousAutoExposure) { aspects.insert(.exposure) }
    if capabilities.whiteBalanceModes.contains(.continuousAutoWhiteBalance) {
      aspects.insert(.whiteBalance)
    }
    if !capabilities.focusModes.isDisjoint(with: [.continuousAutoFocus, .autoFocus]) {
      aspects.insert(.focus)
    }
    return aspects
  }

  /// Returns the aspects that can be found and then fixed on a camera.
  static func lockableAspects(of capabilities: CameraCapabilities) -> Set<Aspect> {
    var aspects = aspects(of: capabilities)
    if !capabilities.exposureModes.contains(.custom) { aspects.remove(.exposure) }
    if !capabilities.whiteBalanceModes.contains(.custom) { aspects.remove(.whiteBalance) }
    if !capabilities.focusModes.contains(.locked) || capabilities.lensPositions == nil {
      aspects.remove(.focus)
    }
    return aspects
  }

  /// Takes a finished frame and returns the result of the wait, if it has ended.
  ///
  /// After the end the result no longer changes.
  @discardableResult
  package mutating func add(_ frame: FrameInfo, now: MonotonicInstant) -> Outcome? {
    if let ended = advance(to: now) { return ended }
    guard frame.timestamp >= start else { return nil }
    guard framesToIgnore == 0 else {
      framesToIgnore -= 1
      return nil
    }
    let calibration = CameraCalibration(frame)
    last = calibration
    unsettled = Set(aspects.filter { !hasSettled($0, frame) })
    if unsettled.isEmpty { outcome = .converged(calibration) }
    return outcome
  }

  /// Takes the time and returns the result of the wait, if it has ended; for when no frames come.
  @discardableResult
  package mutating func advance(to now: MonotonicInstant) -> Outcome? {
    if outcome == nil, now >= deadline {
      outcome = .timedOut(unsettled: unsettled, last: last)
    }
    return outcome
  }

  private mutating func hasSettled(_ aspect: Aspect, _ frame: FrameInfo) -> Bool {
    switch aspect {
    case .exposure:
      exposures.add(exposure(of: frame).map { [$0] })
      return frame.exposureState.map { $0 != .searching } ?? exposures.isStable
    case .whiteBalance:
      gains.add(frame.whiteBalanceGains.map { [$0.red, $0.blue] })
      return frame.whiteBalanceState.map { $0 != .searching } ?? gains.isStable
    case .focus:
      lens.add(frame.lensPosition.map { [$0] })
      return frame.focusState.map { $0 == .focused || $0 == .idle } ?? lens.isStable
    }
  }

  /// Returns exposure times gains: the product that an automatic keeps, however it divides it.
  private func exposure(of frame: FrameInfo) -> Double? {
    guard let duration = frame.exposureDuration, let gain = frame.analogueGain else { return nil }
    return Double(duration.wholeNanoseconds) * gain * (frame.digitalGain ?? 1)
  }
}
