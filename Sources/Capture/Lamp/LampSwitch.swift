import Devices

/// Decides when a lamp has to be switched, and which frames were exposed in its light.
///
/// The switch is driven with needs, results and the time and knows neither lamp nor clock. A frame
/// counts as lit when its first row's exposure began at least ``LampPolicy/leadTime`` after the
/// lamp was on. Its last row's exposure must have ended before the lamp was turned off. Once the
/// lamp is lit again, only frames in the new light count, so that two presses do not get the same
/// picture. While exposure or white balance adjust to the new light, a frame does not count, for
/// ``longestSettling`` at most. When the lamp fails, all frames count, and switching is retried
/// after ``retryPause``.
struct LampSwitch: Sendable, Hashable {
  private struct Light: Sendable, Hashable {
    var on: MonotonicInstant
    var off: MonotonicInstant?
    /// Whether a frame has counted in this light; later adjustments have another cause.
    var hasSettled = false
  }

  private struct Change: Sendable, Hashable {
    var isOn: Bool
    var began: MonotonicInstant
  }

  /// The pause before the retry of a failed lamp.
  static let retryPause = Duration.seconds(5)
  /// The time that switching may take before pictures no longer wait for it.
  static let longestChange = Duration.seconds(1)
  /// The maximum time that exposure and white balance may take to settle in a new light.
  ///
  /// On a Raspberry Pi, exposure goes a fifth and white balance a twentieth of the way with each
  /// frame, so they need some 20 frames.
  static let longestSettling = Duration.milliseconds(1500)

  let policy: LampPolicy
  /// Whether the last switching failed or the lamp does not answer.
  private(set) var isFailed = false
  private var isNeeded = false
  private var heldUntil: MonotonicInstant?
  private var retryTime: MonotonicInstant?
  private var change: Change?
  /// The newest light; frames of a light that is over are still arriving for a while.
  private var light: Light?

  init(policy: LampPolicy) {
    self.policy = policy
  }

  /// Whether the lamp is lit, as far as is known.
  var isLit: Bool { light.map { $0.off == nil } ?? false }

  /// Notes that the light is needed from now on, or no longer.
  mutating func need(_ isNeeded: Bool, at now: MonotonicInstant) {
    guard isNeeded != self.isNeeded else { return }
    self.isNeeded = isNeeded
    let isHeld = !isNeeded && policy.mode == .shot && policy.holdTime > .zero
    heldUntil = isHeld ? now.advanced(by: policy.holdTime) : nil
  }

  /// Begins the change that is due, to lit or to dark, and returns it; `nil` when none is due.
  mutating func begin(at now: MonotonicInstant) -> Bool? {
    guard let isOn = due(at: now) else { return nil }
    change = Change(isOn: isOn, began: now)
    return isOn
  }

  /// Returns whether ``begin(at:)`` would begin a change.
  func isDue(at now: MonotonicInstant) -> Bool { due(at: now) != nil }

  private func due(at now: MonotonicInstant) -> Bool? {
    let isWanted = isNeeded || heldUntil.map { now < $0 } ?? false
    guard change == nil, isWanted != isLit else { return nil }
    if let retryTime, now < retryTime { return nil }
    return isWanted
  }

  /// Notes that the change has been made.
  mutating func changed(at now: MonotonicInstant) {
    guard let change else { return }
    self.change = nil
    (isFailed, retryTime) = (false, nil)
    if change.isOn {
      light = Light(on: now, off: nil)
    } else {
      // From the call on, the lamp may have been dark.
      light?.off = change.began
    }
  }

  /// Notes that the change could not be made.
  mutating func failed(at now: MonotonicInstant) {
    change = nil
    (isFailed, retryTime) = (true, now.advanced(by: LampSwitch.retryPause))
  }

  /// Marks a change that takes too long as failed; returns whether it did so now.
  mutating func isOverdue(at now: MonotonicInstant) -> Bool {
    guard !isFailed, let change, change.began.duration(to: now) >= LampSwitch.longestChange else {
      return false
    }
    isFailed = true
    return true
  }

  /// Returns the next time that alone may make a change due or overdue.
  func nextDeadline(after now: MonotonicInstant) -> MonotonicInstant? {
    let overdue = change?.began.advanced(by: LampSwitch.longestChange)
    return [overdue, heldUntil, retryTime].compactMap { $0 }.filter { $0 > now }.min()
  }

  /// Returns whether a frame may be taken for a picture.
  func counts(_ frame: FrameInfo) -> Bool {
    if isFailed { return true }
    guard let light else { return false }
    let exposure = frame.exposureDuration ?? frame.frameDuration ?? .zero
    let begin = frame.timestamp.advanced(by: .zero - exposure)
    let end = frame.timestamp.advanced(by: frame.readoutDuration)
    let lit = light.on.advanced(by: policy.leadTime)
    guard begin >= lit, light.off.map({ end <= $0 }) ?? true else { return false }
    // The reported state of an automatic is some frames old.
    let isAutomatic = frame.exposureState.map { $0 != .locked } ?? false
    let told = light.on.advanced(by: isAutomatic ? (frame.frameDuration ?? .zero) * 4 : .zero)
    return light.hasSettled || begin >= told && !frame.adjusting.contains { $0 != .focus }
      || begin >= lit.advanced(by: LampSwitch.longestSettling)
  }

  /// Notes that a frame has counted.
  mutating func frameCounted() { light?.hasSettled = true }

  /// Returns the maximum time from now until an exposure counts.
  func delay(at now: MonotonicInstant) -> Duration {
    if isFailed { return .zero }
    guard let light, light.off == nil else {
      return LampSwitch.longestChange + policy.leadTime + LampSwitch.longestSettling
    }
    let settled = light.on.advanced(by: policy.leadTime + LampSwitch.longestSettling)
    return max(.zero, now.duration(to: settled))
  }
}
