import Devices

/// The frames of presses and anticipations: requested, chosen, leased, handed on or given up.
///
/// The session tells the output of its stream with ``take(_:now:)``. ``Reply`` has what the session
/// does then.
extension PhotoOutput: FrameOutput {
  /// The requester of a frame.
  ///
  /// A request keeps its number when a press takes over from an anticipation.
  enum Requester {
    case press(Int64)
    case anticipation(Anticipation.ID)
    case bracket(press: Int64, step: Int)
  }

  /// A change of the camera's controls for a bracket.
  enum ControlChange: Hashable {
    /// Set the controls of a bracket's step.
    case bracket(CameraControls)
    /// Light this lamp alone; `nil` for none.
    case lamp(String?)
    /// Set the controls of the session.
    case session
  }

  /// The steps to carry out, and then the frames to lease one after the other.
  ///
  /// Each lease ends with ``leased(_:now:)`` or ``overwritten(_:now:)``.
  struct Reply {
    var actions: [Action] = []
    var leases: [FrameSelection] = []
    /// The controls to set after the leases, one after the other.
    var controls: [ControlChange] = []
  }

  /// Whether a frame is still to be exposed in the lamp's light for a press or an anticipation.
  var needsLight: Bool { wantedLight == true }

  /// The earliest deadline of a request.
  var nextDeadline: MonotonicInstant? {
    var earliest = bracketDeadline
    if let lit = selector.nextDeadline { earliest = min(earliest ?? lit, lit) }
    if let dark = darkSelector.nextDeadline { earliest = min(earliest ?? dark, dark) }
    return earliest
  }

  /// The usual time between the latest frames; `nil` when there is only one.
  var usualInterval: Duration? { selector.usualInterval ?? darkSelector.usualInterval }

  /// Requests the frame nearest a moment.
  ///
  /// - Parameters:
  ///   - requester: the press or the anticipation.
  ///   - time: the moment.
  ///   - deadline: the time until which to wait for a frame.
  ///   - now: the time of the call.
  mutating func findFrame(
    for requester: Requester, at time: MonotonicInstant, deadline: MonotonicInstant,
    now: MonotonicInstant
  ) -> Reply {
    lastRequest += 1
    let request = lastRequest
    requests[request] = requester
    let choice =
      wantsLight(requester) ?? true
      ? selector.press(request, at: time, deadline: deadline)
      : darkSelector.press(request, at: time, deadline: deadline)
    switch choice {
    case .frame(let selection): return Reply(leases: [selection])
    case .tooLate: return Reply(actions: abandon(request, .frameOverwritten, now: now))
    case .noFrame(let nearest): return Reply(actions: miss(nearest, now: now))
    case .waits:
      if case .anticipation = requester { anticipation?.state = .waiting(request: request) }
      return Reply()
    }
  }

  // MARK: The stream

  mutating func take(_ event: StreamEvent, now: MonotonicInstant) -> Reply {
    switch event {
    case .began(let ringFrameCount, let maximum, let leasedFrameCount, _):
      self.leasedFrameCount = leasedFrameCount
      selector.ringFrameCount = ringFrameCount
      darkSelector.ringFrameCount = ringFrameCount
      prioritizer.maximumCapturesInFlight = maximum
    case .frame(let frame, let isLit, let isDark):
      return frameArrived(frame, isLit: isLit, isDark: isDark, now: now)
    case .lightChanged: lightChanged()
    case .lampDarkened: darkSelector.lightChanged()
    case .timePassed: return Reply(actions: advance(to: now))
    case .ended(let reason): return Reply(actions: streamEnded(reason, now: now))
    case .sessionEnded: return Reply(actions: abandonAll(.sessionNotRunning, now: now))
    }
    return Reply()
  }

  /// Takes a frame, which may settle requests with the lamp's light, those without it, or both.
  mutating func frameArrived(
    _ frame: FrameInfo, isLit: Bool = true, isDark: Bool = false, now: MonotonicInstant
  ) -> Reply {
    var reply = Reply()
    if isForBracket(isLit: isLit, isDark: isDark) { reply = bracketFrame(frame, now: now) }
    if isLit {
      let settlement = selector.frame(frame)
      settle(settlement, &reply, now: now)
    }
    if isDark {
      let settlement = darkSelector.frame(frame)
      settle(settlement, &reply, now: now)
    }
    return reply
  }

  private mutating func settle(
    _ settlement: FrameSelector.Settlement, _ reply: inout Reply, now: MonotonicInstant
  ) {
    reply.leases += settlement.chosen
    for selection in settlement.missed { reply.actions += miss(selection, now: now) }
    for selection in settlement.chosen {
      if case .anticipation? = requests[selection.number] { anticipation?.state = .leasing }
    }
  }

  /// Forgets the frames in all lights.
  mutating func lightChanged() {
    selector.lightChanged()
    darkSelector.lightChanged()
  }

  /// Takes the time, and ends the requests whose deadline has passed.
  mutating func advance(to now: MonotonicInstant) -> [Action] {
    var actions: [Action] = []
    for request in selector.expire(at: now) + darkSelector.expire(at: now) {
      actions += abandon(request, .noFrameInTime, now: now)
    }
    return actions + expireBracket(at: now)
  }

  /// Forgets the frames of a stream that has ended, and ends the waiting requests.
  ///
  /// A frame that is being leased may still come.
  mutating func streamEnded(_ reason: RefusalReason, now: MonotonicInstant) -> [Action] {
    let actions = abandonRequests(reason, now: now) + endBracket(reason, now: now)
    selector.streamEnded()
    darkSelector.streamEnded()
    return actions
  }

  /// Ends all requests and all presses without a frame, even one whose frame is being leased.
  mutating func abandonAll(_ reason: RefusalReason, now: MonotonicInstant) -> [Action] {
    var actions = abandonRequests(reason, now: now) + endBracket(reason, now: now)
    for number in presses.filter({ $0.value.isWaiting }).keys.sorted() {
      actions += finish(number, .refused(reason), now: now)
    }
    return actions
  }

  private mutating func abandonRequests(
    _ reason: RefusalReason, now: MonotonicInstant
  ) -> [Action] {
    var actions: [Action] = []
    for request in selector.abandonAll() + darkSelector.abandonAll() {
      actions += abandon(request, reason, now: now)
    }
    return actions
  }

  // MARK: Leases

  /// Takes a leased frame, which is released if it is not wanted any more.
  mutating func leased(_ chosen: ChosenFrame, now: MonotonicInstant) -> [Action] {
    neighborCounts[chosen.selection.number] = nil
    switch requests.removeValue(forKey: chosen.selection.number) {
    case .press(let number)?: return handOn(chosen, to: number, now: now)
    case .anticipation(let id)? where anticipation?.id == id:
      guard case .became(let number)? = anticipation?.state else {
        anticipation?.state = .holding(chosen)
        return []
      }
      anticipation = nil
      return handOn(chosen, to: number, now: now)
    case .bracket(let number, let step)?:
      return bracketLeased(chosen, number, step: step, now: now)
    case .anticipation?, nil: return []
    }
  }

  /// Takes the failure of a lease, and chooses the nearest remaining frame.
  mutating func overwritten(_ selection: FrameSelection, now: MonotonicInstant) -> Reply {
    if case .bracket(let number, let step)? = requests[selection.number] {
      requests[selection.number] = nil
      if bracket?.press == number { bracket?.machine?.lost(step) }
      return Reply()
    }
    let isLit = requests[selection.number].flatMap { wantsLight($0) } ?? true
    let next =
      isLit
      ? selector.replacement(for: selection, pressedAt: selection.pressTime)
      : darkSelector.replacement(for: selection, pressedAt: selection.pressTime)
    guard let next else {
      return Reply(actions: abandon(selection.number, .frameOverwritten, now: now))
    }
    return Reply(leases: [next])
  }

  /// Gives a press its frame, unless the press has one or has an outcome.
  ///
  /// - Parameter others: the other frames of a bracket.
  mutating func handOn(
    _ chosen: ChosenFrame, to number: Int64, besides others: [FrameInfo] = [],
    now: MonotonicInstant
  ) -> [Action] {
    guard let press = presses[number], case .waiting(let settings) = press.stage else { return [] }
    presses[number]?.stage = .processing
    ledger.select(
      chosen.selection, of: number, captureAngle: chosen.captureAngle,
      orientationSource: chosen.orientationSource, flash: settings.flash, isLit: chosen.isLit,
      now: now)
    var actions: [Action] = [.frameChosen]
    if let record = ledger[number] { actions.append(.send(.press(record))) }
    let exposures = ([chosen.selection.frame] + others).map { frame in
      (
        begin: frame.timestamp.advanced(by: .zero - (frame.exposureDuration ?? .zero)),
        end: frame.timestamp.advanced(by: frame.readoutDuration)
      )
    }
    if let begin = exposures.map(\.begin).min(), let end = exposures.map(\.end).max() {
      actions += note(.exposureBegan(at: begin), of: number)
      actions += note(.exposureEnded(at: end), of: number)
    }
    var photo = CapturedPhoto(
      press: press.press, selection: chosen.selection, frame: chosen.lease,
      captureAngle: chosen.captureAngle, orientationSource: chosen.orientationSource,
      camera: chosen.camera, settings: settings)
    photo.isAsConfigured = chosen.isAsConfigured
    photo.isFlashFired = chosen.isLit
    photo.isDamaged = chosen.isDamaged
    photo.takeNeighbors(of: chosen)
    presses[number]?.leaseCount = 1 + others.count + photo.neighbors.count
    actions.append(.process(photo))
    return actions
  }

  // MARK: Ends

  /// Ends a request whose nearest frame shows another moment.
  private mutating func miss(_ nearest: FrameSelection, now: MonotonicInstant) -> [Action] {
    if case .press(let number)? = requests[nearest.number] { ledger.miss(nearest, of: number) }
    return abandon(nearest.number, .noFrameInTime, now: now)
  }

  /// Ends a request without a frame, and with it the press or the anticipation.
  private mutating func abandon(
    _ request: Int64, _ reason: RefusalReason, now: MonotonicInstant
  ) -> [Action] {
    switch requests.removeValue(forKey: request) {
    case .press(let number)?: return finish(number, .refused(reason), now: now)
    case .anticipation(let id)? where anticipation?.id == id:
      defer { anticipation = nil }
      guard case .became(let number)? = anticipation?.state else { return [] }
      return finish(number, .refused(reason), now: now)
    case .anticipation?, .bracket?, nil: return []
    }
  }
}
