public import Devices

/// Says from a camera's frames when its automatics have settled, and on what.
///
/// It is driven with frames and the time and knows neither camera nor clock. Where a camera says
/// itself how far an automatic is, that counts; where it does not, its values must agree to 1 %
/// over five frames. All that is looked at has to have settled in one and the same frame.
///
/// | looked at | with a flag | without |
/// |---|---|---|
/// | exposure | `exposureState` is not `searching` | exposure · gains |
/// | white balance | `whiteBalanceState` is not `searching` | the gains of red and blue |
/// | focus | `focusState` is `focused`, or `idle` | the lens position |
///
/// A scan that has found no focus does not settle: the page may be moved meanwhile, and the time
/// limit ends the waiting.
public struct ConvergenceDetector: Sendable, Hashable {
  /// What can be looked at.
  public enum Aspect: String, Sendable, Hashable, Codable, CaseIterable {
    /// Exposure duration and gains.
    case exposure
    /// The gains of red and blue.
    case whiteBalance
    /// The lens.
    case focus
  }

  /// How the waiting ended.
  public enum Outcome: Sendable, Hashable {
    /// All has settled.
    case converged(CameraCalibration)
    /// The time is up, and this has not settled; with what the last frame had.
    case timedOut(unsettled: Set<Aspect>, last: CameraCalibration?)
  }

  /// How many frames must agree where a camera has no flag.
  public static let stableFrameCount = 5
  /// By how much they may differ, as a share.
  public static let tolerance = 0.01

  /// What is looked at.
  public let aspects: Set<Aspect>
  /// How the waiting ended; `nil` as long as it goes on.
  public private(set) var outcome: Outcome?

  private let start: MonotonicInstant
  private let deadline: MonotonicInstant
  private var framesToIgnore: Int
  private var exposures = StableValues(count: stableFrameCount, tolerance: tolerance)
  private var gains = StableValues(count: stableFrameCount, tolerance: tolerance)
  private var lens = StableValues(count: stableFrameCount, tolerance: tolerance)
  private var unsettled: Set<Aspect>
  private var last: CameraCalibration?

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - aspects: what to look at; nothing has settled with the first frame that counts.
  ///   - start: when the automatics were set going; frames read out before it do not count.
  ///   - limit: how long to wait from `start`, above 0.
  ///   - ignoredFrameCount: how many frames after `start` still show how it was before, 0 or more;
  ///     a camera's controls take effect 2 to 3 frames late.
  public init(
    aspects: Set<Aspect> = Set(Aspect.allCases), start: MonotonicInstant,
    limit: Duration = .seconds(5), ignoredFrameCount: Int = 4
  ) {
    self.aspects = aspects
    self.start = start
    deadline = start.advanced(by: limit)
    framesToIgnore = max(0, ignoredFrameCount)
    unsettled = aspects
  }

  /// What can settle on a camera: what it has an automatic for.
  public static func aspects(of capabilities: CameraCapabilities) -> Set<Aspect> {
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

  /// What can be found and then fixed on a camera.
  static func lockableAspects(of capabilities: CameraCapabilities) -> Set<Aspect> {
    var aspects = aspects(of: capabilities)
    if !capabilities.exposureModes.contains(.custom) { aspects.remove(.exposure) }
    if !capabilities.whiteBalanceModes.contains(.custom) { aspects.remove(.whiteBalance) }
    if !capabilities.focusModes.contains(.locked) || capabilities.lensPositions == nil {
      aspects.remove(.focus)
    }
    return aspects
  }

  /// Takes a finished frame and returns how the waiting ended, if it has.
  ///
  /// After the end nothing changes any more.
  @discardableResult
  public mutating func add(_ frame: FrameInfo, now: MonotonicInstant) -> Outcome? {
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

  /// Takes the time and returns how the waiting ended, if it has; for when no frames come.
  @discardableResult
  public mutating func advance(to now: MonotonicInstant) -> Outcome? {
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

  /// Exposure and gains in one number: what an automatic keeps, however it divides it.
  private func exposure(of frame: FrameInfo) -> Double? {
    guard let duration = frame.exposureDuration, let gain = frame.analogueGain else { return nil }
    return Double(duration.wholeNanoseconds) * gain * (frame.digitalGain ?? 1)
  }
}
