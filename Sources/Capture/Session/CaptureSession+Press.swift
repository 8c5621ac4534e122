package import Devices

/// Presses and anticipations, entered for the ``PhotoOutput``, and their outcomes.
extension CaptureSession {
  /// Takes a press and returns its number as soon as it has one.
  ///
  /// The readiness at the moment of the call decides on the caller's thread whether the press is
  /// taken. The press ends as stored or refused; see ``outcome(of:)`` and ``events``.
  ///
  /// - Parameters:
  ///   - time: the kernel's timestamp of the press.
  ///   - source: the press's origin.
  ///   - gesture: the button's gesture.
  ///   - button: the button's name.
  ///   - settings: the settings of the capture.
  ///   - anticipation: the frame that was kept for the press, if it was anticipated.
  /// - Throws: the error of the source of numbers when the disk cannot be written. The press then
  ///   has no number and no picture, and counts as refused.
  @discardableResult
  package nonisolated func press(
    at time: MonotonicInstant, source: PressSource, gesture: Gesture = .single,
    button: String? = nil, settings: PhotoSettings = PhotoSettings(),
    anticipation: Anticipation? = nil
  ) async throws -> Int64 {
    let settings = withoutOtherLight(settings)
    let refusal = lampRefusal(of: settings.bracket) ?? flashRefusal(of: settings.flashMode)
    let (admission, readiness) =
      refusal.map { (Admission.refused($0), self.readiness) }
      ?? readinessCoordinator.admit(at: clock.now, isBracket: settings.bracket != nil)
    if case .admitted = admission { gravityRequests.send(()) }
    let press = Press(number: 0, source: source, time: time, gesture: gesture, button: button)
    return try await enter(press, admission, readiness.state, settings, anticipation)
  }

  /// Gives an unnumbered press its number, and its frame or the reason for having none.
  private func enter(
    _ unnumbered: Press, _ admission: Admission, _ readiness: CaptureReadiness,
    _ settings: PhotoSettings, _ anticipation: Anticipation?
  ) async throws -> Int64 {
    // An admitted press begins the time until the next one.
    stateChanged()
    let number: Int64
    do {
      number = try await numbers.next()
    } catch {
      if case .admitted = admission {
        readinessCoordinator.update {
          $0.captureFinished(hadFrame: false)
          if settings.bracket != nil { $0.endBracket() }
        }
        stateChanged()
      }
      if let anticipation { withdraw(anticipation) }
      outputs.photo.ledger.refuseWithoutNumber()
      throw error
    }
    var press = unnumbered
    press.number = number
    switch admission {
    case .refused(let reason):
      if let anticipation { withdraw(anticipation) }
      perform(
        outputs.photo.refuse(
          press, readiness: readiness, bracket: settings.bracket, reason, now: clock.now))
    case .admitted(let streamNumber):
      var anticipation = anticipation
      // A frame is kept with the session's flash.
      if settings.flashMode != nil, let kept = anticipation {
        withdraw(kept)
        anticipation = nil
      }
      let flash = resolveFlash(settings.flashMode, anticipation)
      perform(
        outputs.photo.admit(
          press, readiness: readiness, wanted: settings, session: self.settings,
          stream: status.stream, flash: flash, isHot: !constraints.averagesFrames))
      guard !settings.asksInVain(status.stream) else {
        if let anticipation { withdraw(anticipation) }
        finish(number, .refused(.noRawFrames))
        break
      }
      guard let bracket = settings.bracket else {
        await findFrame(for: press, in: streamNumber, flash, anticipation)
        break
      }
      // The frame of one moment is not enough.
      if let anticipation { withdraw(anticipation) }
      await beginBracket(bracket, for: press, in: streamNumber)
    }
    return number
  }

  private func findFrame(
    for press: Press, in streamNumber: UInt64, _ flash: ResolvedFlash?,
    _ anticipation: Anticipation?
  ) async {
    let number = press.number
    guard status.isRunning else {
      if let anticipation { withdraw(anticipation) }
      return finish(number, .refused(.sessionNotRunning))
    }
    if let anticipation {
      return perform(outputs.photo.give(anticipation, to: number, now: clock.now))
    }
    // The stream in which the button was pressed has ended while the press was numbered.
    guard streamNumber == readinessCoordinator.streamNumber else {
      return finish(number, .refused(.noFrameInTime))
    }
    await carryOut(
      outputs.photo.findFrame(
        for: .press(number), at: press.time, deadline: deadline(of: press.time, flash),
        now: clock.now))
  }

  /// Returns the time until which a press of a moment waits for its frame.
  private func deadline(
    of time: MonotonicInstant, _ flash: ResolvedFlash?
  ) -> MonotonicInstant {
    max(time, clock.now).advanced(by: frameWait(lit: flash?.isEnabled ?? true))
  }

  /// The time that a press with the lamp's light waits for its frame at most.
  var frameWait: Duration { frameWait(lit: true) }

  /// Returns the time that a press waits for its frame at most, with the lamp's light or without.
  ///
  /// It is the configured time, and with long exposures six frames. The press's frame and the next
  /// one are exposed, read out and go through the pipeline, which is some frames deep. The lamp and
  /// the settling limit add to it.
  func frameWait(lit isLit: Bool) -> Duration {
    max(configuration.maximumWait, longestFrame * 6) + lampDelay(lit: isLit)
      + configuration.settlingLimit
  }

  /// Keeps the frame of a moment for a press that may follow.
  ///
  /// The button is down, but whether that is a press or the beginning of a longer gesture is not
  /// known yet. The anticipation ends with ``withdraw(_:)`` or with the press that
  /// is given the anticipation.
  ///
  /// - Returns: the anticipation, or `nil` when a press would be refused now.
  package func anticipate(at time: MonotonicInstant) async -> Anticipation? {
    // Even a push without a frame may become a press, whose frame is there at once by then.
    gravityRequests.send(())
    let flash = resolveFlash(nil)
    guard status.isRunning, readiness.state == .ready,
      let (anticipation, reply) = outputs.photo.anticipate(
        at: time, deadline: deadline(of: time, flash), flash: flash, now: clock.now)
    else { return nil }
    await carryOut(reply)
    return anticipation
  }

  /// Releases the frame of a gesture that was no press.
  package func withdraw(_ anticipation: Anticipation) {
    outputs.photo.withdraw(anticipation)
    stateChanged()
  }

  // MARK: Outcomes

  /// Waits until a press has its outcome and returns its record.
  ///
  /// - Returns: the record, or `nil` when there is no such press or it has been dropped.
  package func outcome(of number: Int64) async -> PressRecord? {
    guard let record = outputs.photo.ledger[number] else { return nil }
    guard record.outcome == nil else { return record }
    return await withCheckedContinuation { outputs.photo.wait(for: number, $0) }
  }

  /// Returns the record of a press; `nil` when there is none or it has been dropped.
  package func record(of number: Int64) -> PressRecord? { outputs.photo.ledger[number] }

  /// Returns the newest records, the newest first.
  package func latestRecords(_ count: Int) -> [PressRecord] { outputs.photo.ledger.latest(count) }

  /// The number of this run's presses: stored, refused and in flight.
  package var pressCounts: (stored: Int, refused: Int, inFlight: Int) {
    (
      outputs.photo.ledger.storedCount, outputs.photo.ledger.refusedCount,
      outputs.photo.ledger.inFlightCount
    )
  }

  /// The number of this run's pictures with each warning about the page.
  package var warnedCounts: [PageWarning: Int] { outputs.photo.ledger.warnedCounts }
}
