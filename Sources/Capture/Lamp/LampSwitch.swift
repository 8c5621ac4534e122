import Devices

/// Says when a lamp has to be switched, and which frames were exposed in its light.
///
/// It is driven with needs, results and the time and knows neither lamp nor clock. A frame counts
/// as lit when its first row's exposure began ``LampPolicy/leadTime`` after the lamp was on, and
/// its last row's ended before it was turned off; once it is lit anew, only frames in the new light
/// count, so that two presses do not get the same picture. While exposure or white balance look for
/// their values in the new light a frame does not count, for ``longestSettling`` at most. A lamp that fails makes no difference: frames
/// count then as they are, and it is tried again after ``retryPause``.
struct LampSwitch: Sendable, Hashable {
  private struct Light: Sendable, Hashable {
    var on: MonotonicInstant
    var off: MonotonicInstant?
    /// Whether a frame has counted in it: what adjusts itself later does so for another reason.
    var hasSettled = false
  }

  private struct Change: Sendable, Hashable {
    var isOn: Bool
    var began: MonotonicInstant
  }

  /// How long a lamp that failed is left alone.
  static let retryPause = Duration.seconds(5)
  /// How long switching may take before pictures no longer wait for it.
  static let longestChange = Duration.seconds(1)
  /// How long exposure and white balance may take to settle in a new light: a Raspberry Pi's, which go
  /// a fifth and a twentieth of the way with each frame, need some 20 frames.
  static let longestSettling = Duration.milliseconds(1500)

  let policy: LampPolicy
  /// Whether the lamp did not obey the last time, or does not answer.
  private(set) var isFailed = false
  private var isNeeded = false
  private var heldUntil: MonotonicInstant?
  private var retryTime: MonotonicInstant?
  private var change: Change?
  /// The newest one; when it is over its frames are still on their way for a while.
  private var light: Light?

  init(policy: LampPolicy) {
    self.policy = policy
  }

  /// Whether it is lit, as far as is known.
  var isLit: Bool { light.map { $0.off == nil } ?? false }

  /// The light is needed from now on, or no longer.
  mutating func need(_ isNeeded: Bool, at now: MonotonicInstant) {
    guard isNeeded != self.isNeeded else { return }
    self.isNeeded = isNeeded
    let isHeld = !isNeeded && policy.mode == .shot && policy.holdTime > .zero
    heldUntil = isHeld ? now.advanced(by: policy.holdTime) : nil
  }

  /// Begins the change that is due: to lit or to dark; `nil` when there is none.
  mutating func begin(at now: MonotonicInstant) -> Bool? {
    guard let isOn = due(at: now) else { return nil }
    change = Change(isOn: isOn, began: now)
    return isOn
  }

  /// Whether ``begin(at:)`` would begin a change.
  func isDue(at now: MonotonicInstant) -> Bool { due(at: now) != nil }

  private func due(at now: MonotonicInstant) -> Bool? {
    let isWanted = isNeeded || heldUntil.map { now < $0 } ?? false
    guard change == nil, isWanted != isLit else { return nil }
    if let retryTime, now < retryTime { return nil }
    return isWanted
  }

  /// The change has been made.
  mutating func changed(at now: MonotonicInstant) {
    guard let change else { return }
    self.change = nil
    (isFailed, retryTime) = (false, nil)
    if change.isOn {
      light = Light(on: now, off: nil)
    } else {
      // From the call on it may have been dark.
      light?.off = change.began
    }
  }

  /// The change could not be made.
  mutating func failed(at now: MonotonicInstant) {
    change = nil
    (isFailed, retryTime) = (true, now.advanced(by: LampSwitch.retryPause))
  }

  /// Notes a change that takes too long; returns whether that is new.
  mutating func isOverdue(at now: MonotonicInstant) -> Bool {
    guard !isFailed, let change, change.began.duration(to: now) >= LampSwitch.longestChange else {
      return false
    }
    isFailed = true
    return true
  }

  /// Whether a frame may be taken for a picture.
  func counts(_ frame: FrameInfo) -> Bool {
    if isFailed { return true }
    guard let light else { return false }
    let exposure = frame.exposureDuration ?? frame.frameDuration ?? .zero
    let begin = frame.timestamp.advanced(by: .zero - exposure)
    let end = frame.timestamp.advanced(by: frame.readoutDuration)
    let lit = light.on.advanced(by: policy.leadTime)
    guard begin >= lit, light.off.map({ end <= $0 }) ?? true else { return false }
    // An automatic tells how it stood some frames ago.
    let isAutomatic = frame.exposureState.map { $0 != .locked } ?? false
    let told = light.on.advanced(by: isAutomatic ? (frame.frameDuration ?? .zero) * 4 : .zero)
    return light.hasSettled || begin >= told && !frame.adjusting.contains { $0 != .focus }
      || begin >= lit.advanced(by: LampSwitch.longestSettling)
  }

  /// A frame has counted.
  mutating func frameCounted() { light?.hasSettled = true }

  /// How long it takes at most from now until an exposure counts.
  func delay(at now: MonotonicInstant) -> Duration {
    if isFailed { return .zero }
    guard let light, light.off == nil else {
      return LampSwitch.longestChange + policy.leadTime + LampSwitch.longestSettling
    }
    let settled = light.on.advanced(by: policy.leadTime + LampSwitch.longestSettling)
    return max(.zero, now.duration(to: settled))
  }
}
