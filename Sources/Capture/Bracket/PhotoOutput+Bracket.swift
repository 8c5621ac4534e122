import Devices

/// The bracket of an admitted press, until the camera's controls are the session's again.
struct BracketInFlight {
  let press: Int64
  /// The course; `nil` until the camera has been examined.
  var machine: BracketMachine?
  /// The time until which the press waits for its frames.
  var deadline: MonotonicInstant?
  /// The leased frames by step.
  var chosen: [Int: ChosenFrame] = [:]
  /// Whether the newest frame was exposed in the light that was asked for last.
  var isInStepLight = false
}

/// Brackets: at most one at a time, because the camera has one set of controls.
extension PhotoOutput {
  /// The time at which the press of the bracket is refused, unless it has its frames.
  var bracketDeadline: MonotonicInstant? {
    guard let bracket, presses[bracket.press]?.isWaiting == true else { return nil }
    return bracket.deadline
  }

  /// Begins the bracket of an admitted press with the next frame.
  mutating func begin(
    _ wanted: Bracket, of number: Int64, on camera: BracketCamera, settlingLimit: Duration,
    deadline: MonotonicInstant
  ) {
    guard bracket?.press == number, let press = presses[number] else { return }
    bracket?.machine = BracketMachine(
      wanted, on: camera, pressTime: press.press.time, settlingLimit: settlingLimit)
    bracket?.deadline = deadline
  }

  /// Takes a frame for the bracket, before the frame is a candidate for other presses.
  mutating func bracketFrame(_ frame: FrameInfo, now: MonotonicInstant) -> Reply {
    let isFree = requests.isEmpty
    guard let press = bracket?.press,
      let isInLight = bracket?.isInStepLight,
      let steps = bracket?.machine?.frame(frame, isFree: isFree, isInLight: isInLight, now: now)
    else { return Reply() }
    var reply = Reply()
    for step in steps {
      switch step {
      case .set(let controls): reply.controls += controls.map { ControlChange.bracket($0) }
      case .light(let lamp): reply.controls.append(.lamp(lamp))
      case .restore: reply.controls.append(.session)
      case .lease(let frame, let index):
        lastRequest += 1
        requests[lastRequest] = .bracket(press: press, step: index)
        let time = presses[press]?.press.time ?? frame.exposureMidpoint
        reply.leases.append(
          FrameSelection(
            number: lastRequest, frame: frame, error: time.duration(to: frame.exposureMidpoint),
            frameInterval: selector.frameInterval))
      case .refuse(let refusal):
        reply.actions.append(.note(refusal, press: press))
        reply.actions += finish(press, .refused(refusal.reason), now: now)
      case .end:
        bracket = nil
        // Frames until now show the bracket's exposures, and are no candidates.
        lightChanged()
        reply.actions.append(.bracketEnded)
      }
    }
    return reply
  }

  /// Takes a leased frame of a bracket; the last one completes the photo.
  mutating func bracketLeased(
    _ chosen: ChosenFrame, _ number: Int64, step: Int, now: MonotonicInstant
  ) -> [Action] {
    guard bracket?.press == number, bracket?.machine?.isChoosing == true else { return [] }
    bracket?.chosen[step] = chosen
    guard bracket?.machine?.leased(step) == true, let steps = bracket?.machine?.steps,
      let leased = bracket?.chosen
    else { return [] }
    bracket?.chosen = [:]
    return handOn(steps, leased, to: number, now: now)
  }

  /// Gives a press all frames of its bracket, in the order of the steps.
  private mutating func handOn(
    _ steps: [BracketStep], _ leased: [Int: ChosenFrame], to number: Int64, now: MonotonicInstant
  ) -> [Action] {
    let frames = steps.compactMap { step -> ChosenFrame? in
      var frame = leased[step.index]
      if step.lamp != nil { frame?.isLit = true }
      return frame
    }
    noteLamps(of: steps, for: number)
    guard let first = frames.first, frames.count == steps.count else { return [] }
    var actions = handOn(
      first, to: number, besides: frames.dropFirst().map(\.selection.frame), now: now)
    guard case .process(var photo)? = actions.popLast() else { return actions }
    let photos = zip(frames, steps).map { frame, step in
      var picture = photo
      picture.selection = frame.selection
      picture.frame = frame.lease
      picture.captureAngle = frame.captureAngle
      picture.orientationSource = frame.orientationSource
      picture.isFlashFired = frame.isLit
      picture.isDamaged = frame.isDamaged
      picture.bracket = BracketPlace(
        index: step.index + 1, count: steps.count, exposureBias: step.exposureBias,
        lamp: step.lamp)
      return picture
    }
    photo = photos[0]
    photo.companions = Array(photos.dropFirst())
    return actions + [.process(photo)]
  }

  /// Notes the lamps of the steps as the flash of the pictures; the session's own lamp is dark.
  private mutating func noteLamps(of steps: [BracketStep], for number: Int64) {
    guard steps.contains(where: { $0.lamp != nil }), let press = presses[number],
      case .waiting(var settings) = press.stage
    else { return }
    settings.flash = .ofStepLamps
    presses[number]?.stage = .waiting(settings)
  }

  /// Refuses the bracket's press when its time is over.
  mutating func expireBracket(at now: MonotonicInstant) -> [Action] {
    guard let bracket, let deadline = bracketDeadline, deadline <= now else { return [] }
    return finish(bracket.press, .refused(.noFrameInTime), now: now)
  }

  /// Gives up the bracket of a press that has its outcome.
  mutating func giveUpBracket(of number: Int64) -> [Action] {
    guard bracket?.press == number else { return [] }
    bracket?.machine?.giveUp()
    bracket?.chosen = [:]
    guard bracket?.machine?.hasChangedControls != true else { return [] }
    bracket = nil
    return [.bracketEnded]
  }

  /// Refuses the bracket's press because of the camera's refusal of its controls.
  mutating func bracketFailed(_ error: DeviceError, now: MonotonicInstant) -> [Action] {
    guard let press = bracket?.press, presses[press]?.isWaiting == true else { return [] }
    let refusal = BracketRefusal.unsupported("\(error)")
    return [.note(refusal, press: press)] + finish(press, .refused(refusal.reason), now: now)
  }

  /// Ends the bracket with its stream, whose successor starts with the session's controls.
  mutating func endBracket(_ reason: RefusalReason, now: MonotonicInstant) -> [Action] {
    guard let ended = bracket else { return [] }
    bracket = nil
    var actions: [Action] = [.bracketEnded]
    if presses[ended.press]?.isWaiting == true {
      actions += finish(ended.press, .refused(reason), now: now)
    }
    return actions
  }
}
