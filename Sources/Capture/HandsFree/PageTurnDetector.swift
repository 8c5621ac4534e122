package import Devices

/// The look of a page, by which the same page is known again.
package protocol PageAppearance: Sendable, Hashable {
  /// Returns whether two looks are of the same page.
  func isSamePage(as other: Self) -> Bool
}

/// The limits of a ``PageTurnDetector``.
package struct PageTurnPolicy: Sendable, Hashable {
  /// The time for which nothing may have moved.
  package var stillTime = Duration.milliseconds(800)
  /// The seconds of the countdown, 0 for none.
  package var countdown = 2

  package init() {}
}

/// Decides when a page gets its picture without a press.
///
/// A page gets one picture: when it differs from the page of the last picture, no hand is over it,
/// and nothing has moved for a while. The detector looks for motion all the time, and asks for a
/// reading of the page only when the scene has become still.
///
/// | observed | state | action |
/// |---|---|---|
/// | something moves | watching | ``Action/callOff`` during a countdown |
/// | nothing moves for the still time | watching | ``Action/read`` |
/// | a page that has no picture, for the first time | watching | ``Action/read`` |
/// | the same once more | counting | ``Action/count(_:)``, ``Action/take`` at the end |
/// | the page of the last picture, or no page | resting, until something moves | |
/// | a hand over the page, or a rig that is not ready | pausing, then watching again | |
///
/// A single reading may err about the page's outline, and a page looks different then. So two that
/// agree decide that a page has no picture, or which page lies there at the start. The countdown
/// begins with the first.
///
/// A press of somebody else counts as the picture of the page that lies there: the page that was
/// read since the last motion, or else a look in passing. A page that lies
/// there at the start has its picture, because a service may start in the middle of a book. After a
/// refused press, the page is taken later; the pauses become longer.
package struct PageTurnDetector<Look: PageAppearance>: Sendable {
  /// The findings of a reading that matter here.
  package struct Page: Sendable, Hashable {
    /// Whether a hand covers a part of the page.
    package var isCovered: Bool
    /// Whether there is a page with something on it.
    package var hasContent: Bool
    /// The look of the page.
    package var look: Look

    package init(isCovered: Bool, hasContent: Bool, look: Look) {
      self.isCovered = isCovered
      self.hasContent = hasContent
      self.look = look
    }
  }

  /// The next thing to do.
  package enum Action: Sendable, Hashable {
    /// Go on observing.
    case wait
    /// Read the page, in a frame that is not older than ``PageTurnDetector/stillSince``.
    case read
    /// Show the seconds that are left, 1 or more.
    case count(Int)
    /// Show no countdown any more.
    case callOff
    /// Take the picture now.
    case take
  }

  private enum State: Sendable, Hashable {
    case watching
    case counting(until: MonotonicInstant, shown: Int)
    case resting
    case pausing(until: MonotonicInstant)
  }

  /// The share of the picture that changes when something moves.
  static var motionFrom: Double { 0.015 }
  /// The pause before a page is read again that cannot be taken yet, or whose readings disagree.
  static var pause: Duration { .seconds(1) }
  /// The pauses after refused presses, the first and the longest.
  static var refusalPauses: (first: Duration, longest: Duration) { (.seconds(2), .seconds(30)) }

  private let policy: PageTurnPolicy
  private var state = State.watching
  /// The time since which nothing moves; `nil` while something does.
  package private(set) var stillSince: MonotonicInstant?
  /// The look of the page of the last picture.
  private var taken: Look?
  /// The look of the page at its last reading, and the time of the first reading that agrees with
  /// it; `nil` when something has moved since.
  private var seen: (look: Look, since: MonotonicInstant)?
  /// Whether the next page that is read has its picture already, unless something moves before.
  private var adoptsNext = true
  /// The time of the last press, and the page of the picture before it.
  private var press: (time: MonotonicInstant, before: Look?)?
  private var refusalPause = Self.refusalPauses.first

  package init(_ policy: PageTurnPolicy) { self.policy = policy }

  /// Takes an observation of the scene.
  ///
  /// - Parameters:
  ///   - motion: the share of the picture that has changed since the last observation, 0...1.
  ///   - now: the time, never earlier than that of the last observation.
  ///   - isReady: whether a press would be taken.
  package mutating func observe(
    motion: Double, at now: MonotonicInstant, isReady: Bool
  ) -> Action {
    guard motion < Self.motionFrom else { return moved() }
    let since = stillSince ?? now
    stillSince = since
    guard since.duration(to: now) >= policy.stillTime else { return .wait }
    switch state {
    case .resting: return .wait
    case .pausing(let end) where now < end: return .wait
    case .pausing, .watching:
      state = .watching
      return .read
    case .counting(let end, let shown):
      guard now < end else { return isReady ? take(at: now) : .wait }
      let left = Self.seconds(now.duration(to: end))
      guard left != shown else { return .wait }
      state = .counting(until: end, shown: left)
      return .count(left)
    }
  }

  /// Takes the reading that was asked for; a reading after a motion has no effect.
  package mutating func read(
    _ page: Page, at now: MonotonicInstant, isReady: Bool
  ) -> Action {
    guard state == .watching, stillSince != nil else { return .wait }
    guard page.hasContent else {
      (state, adoptsNext) = (.resting, false)
      return .wait
    }
    guard !page.isCovered else {
      state = .pausing(until: now.advanced(by: Self.pause))
      return .wait
    }
    let earlier = seen
    seen = (page.look, now)
    if !adoptsNext, taken?.isSamePage(as: page.look) == true {
      state = .resting
      return .wait
    }
    guard let earlier else { return .wait }
    guard isReady || adoptsNext, earlier.look.isSamePage(as: page.look) else {
      (seen, state) = (nil, .pausing(until: now.advanced(by: Self.pause)))
      return .wait
    }
    seen = (page.look, earlier.since)
    guard !adoptsNext else {
      (taken, adoptsNext, state) = (page.look, false, .resting)
      return .wait
    }
    // Without a countdown, the next observation without motion takes the picture.
    let end = earlier.since.advanced(by: .seconds(policy.countdown))
    let left = max(Self.seconds(now.duration(to: end)), 0)
    state = .counting(until: end, shown: left)
    return left > 0 ? .count(left) : .wait
  }

  /// Notes that the scene cannot be seen, for example while the camera is lost.
  package mutating func lostSight() -> Action { moved(keepsAdoption: true) }

  /// Notes somebody else's press.
  ///
  /// - Parameters:
  ///   - time: the time of the press.
  ///   - look: a look in passing at that time; `nil` if there is none.
  package mutating func pressed(at time: MonotonicInstant, _ look: Look?) -> Action {
    press = (time, taken)
    taken = seen?.look ?? look ?? taken
    // A reading is better than a look in passing, if nothing has moved until then.
    adoptsNext = true
    defer { state = .watching }
    return calledOff
  }

  /// Notes that the press of a time was refused, so that its page has no picture.
  package mutating func refused(_ time: MonotonicInstant, at now: MonotonicInstant) -> Action {
    guard let press, press.time == time else { return .wait }
    // The next page may be counting down already.
    let action = calledOff
    (taken, seen, adoptsNext, self.press) = (press.before, nil, false, nil)
    state = .pausing(until: now.advanced(by: refusalPause))
    refusalPause = min(refusalPause * 2, Self.refusalPauses.longest)
    return action
  }

  /// Notes that the press of a time was stored.
  package mutating func stored(_ time: MonotonicInstant) {
    guard press?.time == time else { return }
    (press, refusalPause) = (nil, Self.refusalPauses.first)
  }

  private mutating func take(at now: MonotonicInstant) -> Action {
    press = (now, taken)
    (taken, state) = (seen?.look, .resting)
    return .take
  }

  private mutating func moved(keepsAdoption: Bool = false) -> Action {
    let action = calledOff
    (stillSince, seen) = (nil, nil)
    if !keepsAdoption { adoptsNext = false }
    // A motion does not shorten the pause after a refused press.
    if case .pausing = state { return action }
    state = .watching
    return action
  }

  private var calledOff: Action {
    if case .counting = state, policy.countdown > 0 { return .callOff }
    return .wait
  }

  /// Returns a time in whole seconds, rounded up.
  private static func seconds(_ duration: Duration) -> Int {
    Int((duration / .seconds(1)).rounded(.up))
  }
}
