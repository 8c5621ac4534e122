import Devices

/// Decides when a lamp has to be switched, and which frames were exposed in its light or without.
///
/// The switch is driven with needs, results and the time and knows neither lamp nor clock. A frame
/// counts as lit when its first row's exposure began at least ``LampPolicy/leadTime`` after the
/// lamp was on. Its last row's exposure must have ended before the lamp was turned off. Once the
/// lamp is lit again, only frames in the new light count, so that two presses do not get the same
/// picture. Presses without the lamp's light take frames that were exposed while the lamp was dark.
/// While exposure or white balance adjust to a new light, a frame does not count, for
/// ``longestSettling`` at most. When the lamp fails, all frames count, and switching is retried
/// after ``retryPause``.
struct LampSwitch: Sendable, Hashable {
  /// A time in one light, the lamp's or that of a dark lamp.
  private struct Light: Sendable, Hashable {
    /// The time since which the light is certain.
    var since: MonotonicInstant
    /// The time until which the light is certain; `nil` while the light lasts.
    var until: MonotonicInstant?
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
  /// The newest light of the lamp; frames of a light that is over are still arriving for a while.
  private var lit: Light?
  /// The newest time without the lamp's light, at first since ever.
  private var dark = Light(since: MonotonicInstant(nanoseconds: .min), hasSettled: true)

  init(policy: LampPolicy) {
    self.policy = policy
  }

  /// Makes the switch of a lamp that was switched just now.
  init(policy: LampPolicy, isLit: Bool, since now: MonotonicInstant) {
    self.policy = policy
    isNeeded = isLit
    lit = isLit ? Light(since: now) : nil
    dark = isLit ? Light(since: MonotonicInstant(nanoseconds: .min), until: now) : Light(since: now)
  }

  /// Whether the lamp is lit, as far as is known.
  var isLit: Bool { lit.map { $0.until == nil } ?? false }

  /// The maximum time from one light to a frame that counts in the other.
  var longestTurn: Duration {
    LampSwitch.longestChange + policy.leadTime + LampSwitch.longestSettling
  }

  /// Notes that the light is needed from now on, or no longer.
  ///
  /// - Parameter isForbidden: whether a press waits for a frame without the light, so that the lamp
  ///   must not stay lit for ``LampPolicy/holdTime``.
  mutating func need(
    _ isNeeded: Bool, isForbidden: Bool = false, at now: MonotonicInstant
  ) {
    if isForbidden { heldUntil = nil }
    guard isNeeded != self.isNeeded else { return }
    self.isNeeded = isNeeded
    let isHeld = !isNeeded && !isForbidden && policy.mode == .shot && policy.holdTime > .zero
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
    // From the call on, the lamp may have been in the other state.
    if change.isOn {
      dark.until = change.began
      lit = Light(since: now)
    } else {
      lit?.until = change.began
      dark = Light(since: now)
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

  /// Returns whether a frame may be taken for a picture with the lamp's light, or without it.
  func counts(_ frame: FrameInfo, lit isLit: Bool = true) -> Bool {
    if !isLit, policy.mode == .session { return false }
    if isFailed { return true }
    guard let light = isLit ? lit : dark else { return false }
    let (begin, end) = Self.exposure(of: frame)
    let first = light.since.advanced(by: isLit ? policy.leadTime : .zero)
    guard begin >= first, end <= self.end(of: light, isLit) ?? end else { return false }
    // The reported state of an automatic is some frames old.
    let isAutomatic = frame.exposureState.map { $0 != .locked } ?? false
    let told = light.since.advanced(by: isAutomatic ? (frame.frameDuration ?? .zero) * 4 : .zero)
    return light.hasSettled || begin >= told && !frame.adjusting.contains { $0 != .focus }
      || begin >= first.advanced(by: LampSwitch.longestSettling)
  }

  /// Returns whether a frame was wholly exposed in the lamp's light, as far as is known.
  func isLit(_ frame: FrameInfo) -> Bool {
    guard let lit else { return false }
    let (begin, end) = Self.exposure(of: frame)
    return begin >= lit.since && end <= self.end(of: lit, true) ?? end
  }

  /// Returns the exposure of a frame, from the first row's beginning to the last row's end.
  ///
  /// Without an exposure time, the whole frame may have been exposed.
  private static func exposure(
    of frame: FrameInfo
  ) -> (begin: MonotonicInstant, end: MonotonicInstant) {
    let exposure = frame.exposureDuration ?? frame.frameDuration ?? .zero
    return (
      frame.timestamp.advanced(by: .zero - exposure),
      frame.timestamp.advanced(by: frame.readoutDuration)
    )
  }

  /// Returns the time until which a light is certain; `nil` while the light lasts.
  private func end(of light: Light, _ isLit: Bool) -> MonotonicInstant? {
    if let until = light.until { return until }
    guard let change, change.isOn != isLit else { return nil }
    return change.began
  }

  /// Notes that a frame has counted with the lamp's light, or without it.
  mutating func frameCounted(lit isLit: Bool = true) {
    if isLit { lit?.hasSettled = true } else { dark.hasSettled = true }
  }

  /// Returns the maximum time from now until an exposure counts with the lamp's light, or without.
  func delay(at now: MonotonicInstant, lit isLit: Bool = true) -> Duration {
    if isFailed { return .zero }
    guard let light = isLit ? lit : dark, end(of: light, isLit) == nil else {
      return longestTurn
    }
    let lead = isLit ? policy.leadTime : .zero
    let settled = light.since.advanced(by: lead + LampSwitch.longestSettling)
    return settled <= now ? .zero : now.duration(to: settled)
  }
}
