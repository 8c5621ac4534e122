import Devices

/// The light of the frames: each request takes a frame in the lamp's light, or one without it.
///
/// The lamp serves the oldest request first. Requests for the other light wait for their turn.
extension PhotoOutput {
  /// The light that the oldest request needs: `true` for the lamp's, `false` for none of it.
  ///
  /// `nil` means that no frame is still to be exposed.
  var wantedLight: Bool? {
    var oldest = Int64.max
    var light: Bool?
    for (number, requester) in requests where number < oldest {
      if case .anticipation = requester, !isAnticipationWaiting { continue }
      guard let wanted = wantsLight(requester) else { continue }
      (oldest, light) = (number, wanted)
    }
    return light ?? bracket.flatMap { wantsLight(.press($0.press)) }
  }

  /// Returns whether a requester takes a frame in the lamp's light; `nil` for one that has ended.
  func wantsLight(_ requester: Requester) -> Bool? {
    switch requester {
    case .press(let number), .bracket(let number, _):
      guard let press = presses[number], case .waiting(let settings) = press.stage else {
        return nil
      }
      return settings.flash?.isEnabled ?? true
    case .anticipation(let id):
      guard let anticipation, anticipation.id == id else { return nil }
      return anticipation.flash?.isEnabled ?? true
    }
  }

  /// Returns the number of requests for frames in the lamp's light, or for those without it.
  func requestCount(lit isLit: Bool) -> Int {
    requests.values.count(where: { wantsLight($0) == isLit })
  }

  /// Returns the flash with which a frame is kept; `nil` without a lamp, and after the end.
  func flash(of anticipation: Anticipation) -> ResolvedFlash? {
    guard let kept = self.anticipation, kept.id == anticipation.id else { return nil }
    return kept.flash
  }

  /// Returns whether a frame concerns the bracket, which takes frames in one light.
  ///
  /// A bracket that only waits for the session's controls takes any frame.
  func isForBracket(isLit: Bool, isDark: Bool) -> Bool {
    guard let bracket, bracket.machine?.isChoosing == true else { return bracket != nil }
    return wantsLight(.press(bracket.press)) ?? true ? isLit : isDark
  }

  private var isAnticipationWaiting: Bool {
    switch anticipation?.state {
    case .waiting?, .became?: true
    case .leasing?, .holding?, nil: false
    }
  }
}
