import Devices

/// Makes photos of presses and anticipations (`AVCapturePhotoOutput`).
///
/// The output is a value without clock and camera. The session tells it of presses, frames, leases,
/// outcomes and the time, and carries out the returned actions in order. Each press has one record
/// from its admission to its outcome; see ``PressInFlight``. At most one anticipation lasts at a
/// time; see ``AnticipatedFrame``. Both ask for frames through requests; see
/// `PhotoOutput+Frames.swift`.
struct PhotoOutput {
  /// A step that the session carries out.
  enum Action {
    /// Send an event to the listeners.
    case send(CaptureEvent)
    /// Count a capture as processed, which waited for its frame before.
    case frameChosen
    /// Give a photo to the receiver.
    case process(CapturedPhoto)
    /// Send the record of a press that has its outcome now.
    case finish(PressRecord)
    /// Return the record to the callers that wait for the outcome.
    case answer([CheckedContinuation<PressRecord, Never>], PressRecord)
    /// Free the place of a capture; ``frameChosen`` came before if it had a frame.
    case captureFinished(hadFrame: Bool)
    /// Log the cause of a bracket's refusal.
    case note(BracketRefusal, press: Int64)
    /// Admit presses again, because the camera's controls are the session's.
    case bracketEnded
  }

  private let configuration: CaptureSessionConfiguration
  var prioritizer: FastCapturePrioritizer
  /// The presses whose picture a retake replaces.
  private var retakes: RetakeTrail
  private var lastAnticipation: UInt64 = 0
  /// The presses of this run.
  var ledger = PressLedger()
  /// The admitted presses without an outcome, by number.
  var presses: [Int64: PressInFlight] = [:]
  /// The anticipation, unless it was withdrawn or a press has its frame.
  var anticipation: AnticipatedFrame?
  /// The bracket, until the camera's controls are the session's again.
  var bracket: BracketInFlight?
  /// The frames in the lamp's light, or all frames of a rig without a lamp.
  var selector: FrameSelector
  /// The frames that were exposed while the lamp was dark, for presses that want no flash.
  var darkSelector: FrameSelector
  /// The requesters of frames that are not chosen or not leased yet, by number of the request.
  var requests: [Int64: Requester] = [:]
  var lastRequest: Int64 = 0
  /// The number of leases that do not starve the stream.
  var leasedFrameCount = 1
  /// The numbers of frames that are being leased besides chosen ones, by number of the request.
  var neighborCounts: [Int64: Int] = [:]

  init(_ configuration: CaptureSessionConfiguration) {
    self.configuration = configuration
    let frames = FrameSelector(
      ringFrameCount: configuration.stream.ringFrameCount,
      settlingLimit: configuration.settlingLimit)
    (selector, darkSelector) = (frames, frames)
    prioritizer = FastCapturePrioritizer(
      maximumCapturesInFlight: configuration.maximumCapturesInFlight)
    retakes = RetakeTrail(after: configuration.latestStoredPress)
  }

  /// Whether no press is in flight and none is anticipated.
  var isIdle: Bool { presses.isEmpty && anticipation == nil && bracket == nil }

  // MARK: Presses

  /// Enters a press that has a place among the captures in flight, and fixes its settings.
  ///
  /// A frame has to be found for the press afterward.
  ///
  /// - Parameters:
  ///   - press: the press with its number.
  ///   - readiness: the readiness when the press came.
  ///   - wanted: the settings of the capture.
  ///   - session: the settings of the session.
  ///   - stream: the running stream; `nil` when there is none.
  ///   - flash: the decision about the lamp's light; `nil` without a lamp.
  ///   - isHot: whether the heat of the rig forbids to average and to merge frames.
  mutating func admit(
    _ press: Press, readiness: CaptureReadiness, wanted: PhotoSettings, session: SessionSettings,
    stream: ResolvedStreamConfiguration?, flash: ResolvedFlash? = nil, isHot: Bool = false
  ) -> [Action] {
    let number = press.number
    ledger.begin(press, readiness: readiness, bracket: wanted.bracket)
    var resolved = resolve(wanted, of: number, session, stream, isHot: isHot)
    resolved.flash = flash
    if resolved.prioritization == .quality {
      resolved.singleFrame = SingleFrameReason(wanted, stream, isHot: isHot)
    }
    presses[number] = PressInFlight(press, settings: resolved)
    if wanted.bracket != nil { bracket = BracketInFlight(press: number) }
    // The session's own lamp stays dark for the lamps of the steps, which are the pictures' flash.
    if wanted.bracket?.kind == .lamp { resolved.flash = .ofStepLamps }
    var actions = note(.settingsResolved(resolved), of: number)
    if let record = ledger[number] { actions.append(.send(.press(record))) }
    return actions
  }

  /// Enters a press that has no place, and refuses it.
  mutating func refuse(
    _ press: Press, readiness: CaptureReadiness, bracket: Bracket? = nil, _ reason: RefusalReason,
    now: MonotonicInstant
  ) -> [Action] {
    ledger.begin(press, readiness: readiness, bracket: bracket)
    return finish(press.number, .refused(reason), now: now)
  }

  /// Notes that a file of a photo is on stable storage.
  mutating func delivered(_ delivery: PhotoDelivery, of photo: CapturedPhoto) -> [Action] {
    note(
      .photoDelivered(delivery, count: photo.settings.expectedPhotoCount), of: photo.press.number)
  }

  /// Ends a press; a press that has an outcome keeps that.
  mutating func finish(
    _ number: Int64, _ outcome: PressOutcome, now: MonotonicInstant
  ) -> [Action] {
    guard let record = ledger.finish(number, outcome, now: now) else { return [] }
    let press = presses.removeValue(forKey: number)
    var progress = press?.progress ?? CaptureProgressMachine(uniqueID: number)
    var actions: [Action] = [.finish(record)]
    if let step = progress.take(.finished(outcome)) { actions.append(.send(.progress(step))) }
    guard let press else { return actions }
    actions.append(.answer(press.waiters, record))
    actions.append(.captureFinished(hadFrame: !press.isWaiting))
    actions += giveUpBracket(of: number)
    return actions
  }

  /// Queues a caller that waits for the outcome of a press in flight.
  mutating func wait(
    for number: Int64, _ continuation: CheckedContinuation<PressRecord, Never>
  ) {
    presses[number]?.waiters.append(continuation)
  }

  /// Takes a step of a capture, unless the step comes too late or is a repeat.
  mutating func note(_ step: CaptureProgress.Step, of number: Int64) -> [Action] {
    guard let progress = presses[number]?.progress.take(step) else { return [] }
    return [.send(.progress(progress))]
  }

  private mutating func resolve(
    _ wanted: PhotoSettings, of number: Int64, _ session: SessionSettings,
    _ stream: ResolvedStreamConfiguration?, isHot: Bool
  ) -> ResolvedPhotoSettings {
    let prioritization = wanted.prioritization ?? session.prioritization
    prioritizer.isEnabled = session.isFastCapturePrioritized
    var given =
      wanted.allowsFastCapture
      ? prioritizer.resolve(prioritization, capturesInFlight: presses.count)
      : prioritization
    // Frames that the camera compresses itself stay unchanged.
    let isCompressed =
      stream?.format.pixelFormat == .mjpeg && configuration.additionalDeliveries.isEmpty
    if isCompressed || !configuration.changesPicture(from: prioritization, to: given) {
      given = prioritization
    }
    // Pictures in different lights are for the eye, or for a program of its own.
    let canMerge = wanted.bracket.map { $0.kind != .lamp } ?? false
    var merge: BracketMerge = canMerge ? wanted.merge ?? configuration.merge : .off
    let unmerged = merge == .off ? nil : UnmergedReason(stream, isHot: isHot)
    if unmerged != nil { merge = .off }
    var resolved = ResolvedPhotoSettings(
      uniqueID: number,
      photoDimensions: stream?.format.size ?? FrameSize(width: 0, height: 0),
      prioritization: given, isFastCapture: given != prioritization,
      expectedDeliveries: wanted.deliveries(
        besides: configuration.additionalDeliveries, merge: merge)
        + wanted.rawDeliveries(configuration.formats, of: stream),
      replacedPresses: retakes.admit(number, isRetake: wanted.replacesLastPhoto))
    resolved.merge = merge
    resolved.unmerged = unmerged
    return resolved
  }

  // MARK: Anticipations

  /// Keeps the frame of a moment for a press that may follow.
  ///
  /// - Parameters:
  ///   - time: the moment.
  ///   - deadline: the time until which to wait for a frame.
  ///   - flash: the decision about the lamp's light; `nil` without a lamp.
  ///   - now: the time of the call.
  /// - Returns: the anticipation with the reply; `nil` while another lasts.
  mutating func anticipate(
    at time: MonotonicInstant, deadline: MonotonicInstant, flash: ResolvedFlash? = nil,
    now: MonotonicInstant
  ) -> (Anticipation, Reply)? {
    guard anticipation == nil else { return nil }
    lastAnticipation += 1
    let id = Anticipation.ID(number: lastAnticipation)
    anticipation = AnticipatedFrame(id: id, flash: flash, state: .leasing)
    let reply = findFrame(for: .anticipation(id), at: time, deadline: deadline, now: now)
    return (Anticipation(id: id), reply)
  }

  /// Gives the frame of an anticipation to an admitted press, as soon as it is leased.
  ///
  /// The press is refused when the anticipation has ended without a frame.
  mutating func give(
    _ anticipation: Anticipation, to number: Int64, now: MonotonicInstant
  ) -> [Action] {
    switch state(of: anticipation) {
    case .waiting(let request)?:
      self.anticipation = nil
      requests[request] = .press(number)
      return []
    case .leasing?:
      self.anticipation?.state = .became(press: number)
      return []
    case .holding(let chosen)?:
      self.anticipation = nil
      return handOn(chosen, to: number, now: now)
    case .became?, nil:
      return finish(number, .refused(.noFrameInTime), now: now)
    }
  }

  /// Releases the frame of an anticipation, unless a press has taken it over.
  mutating func withdraw(_ anticipation: Anticipation) {
    switch state(of: anticipation) {
    case .waiting(let request)?:
      selector.withdraw(request)
      darkSelector.withdraw(request)
      requests[request] = nil
      self.anticipation = nil
    case .leasing?, .holding?: self.anticipation = nil
    case .became?, nil: break
    }
  }

  private func state(of anticipation: Anticipation) -> AnticipatedFrame.State? {
    guard let kept = self.anticipation, kept.id == anticipation.id else { return nil }
    return kept.state
  }
}
