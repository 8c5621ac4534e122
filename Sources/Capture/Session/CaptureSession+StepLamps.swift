import Devices
import Logging

/// The lamps of brackets: each is lit alone for the frame of its step.
///
/// A task of its own switches them one after the other, so that a lamp that hangs delays no frame.
/// A press whose lamp cannot be lit is refused.
extension CaptureSession {
  /// Returns the reason to refuse a bracket of lamps; `nil` for a possible one, and for others.
  nonisolated func lampRefusal(of bracket: Bracket?) -> RefusalReason? {
    guard let bracket, bracket.kind == .lamp else { return nil }
    guard bracket.lamps.allSatisfy({ lamps[$0] != nil }) else { return .noLamp }
    return bracketLamps.isEmpty ? .lampStaysLit : nil
  }

  /// The names of the lamps that a bracket may have, in order; none where the lamp stays lit.
  package nonisolated var bracketLamps: [String] {
    lamp != nil && configuration.lamp.mode == .session ? [] : lamps.keys.sorted()
  }

  /// Returns the settings of a press, whose bracket of lamps has no other light.
  nonisolated func withoutOtherLight(_ settings: PhotoSettings) -> PhotoSettings {
    guard lamp != nil, settings.bracket?.kind == .lamp else { return settings }
    var settings = settings
    settings.flashMode = .off
    return settings
  }

  /// Has a lamp lit, and the one before turned off; `nil` for none.
  func light(_ name: String?) {
    guard name != wantedStepLamp else { return }
    wantedStepLamp = name
    stepLight = nil
    announceStepLamp?.yield(name)
  }

  /// Notes for the bracket whether a frame was exposed in the light that was asked for last.
  func noteStepLight(_ frame: FrameInfo) {
    let isLit = wantedStepLamp != nil
    let counts = stepLight?.counts(frame, lit: isLit) ?? false
    if counts { stepLight?.frameCounted(lit: isLit) }
    outputs.photo.bracket?.isInStepLight = counts
  }

  /// Switches the lamps until the task is canceled, and then leaves all dark.
  func driveStepLamps() async {
    let (wishes, announce) = AsyncStream.makeStream(of: String?.self)
    announceStepLamp = announce
    defer { announceStepLamp = nil }
    var lit: String?
    for await wish in wishes {
      do throws(DeviceError) {
        if let name = lit {
          stepLight = nil
          try await lamps[name]?.turn(on: false)
          lit = nil
          turnedOff(name)
        }
        if let wish, let lamp = lamps[wish] {
          lit = wish
          try await lamp.turn(on: true)
        }
        // Another lamp may be wanted meanwhile.
        if wantedStepLamp == wish { stepLight = light(isLit: wish != nil) }
      } catch {
        if let wish {
          failed(wish, error)
        } else if let lit {
          stayedLit(lit, error)
        }
      }
    }
    for lamp in lamps.values { await lamp.release() }
  }

  /// Refuses the bracket that waits for a lamp, which cannot be lit alone.
  private func failed(_ wish: String, _ error: DeviceError) {
    guard wish == wantedStepLamp else { return }
    logger.error(
      "a lamp fails, its bracket is refused", metadata: ["lamp": "\(wish)", "error": "\(error)"])
    perform(outputs.photo.bracketFailed(error, now: clock.now))
  }

  /// Warns of a lamp that could not be turned off, which is tried again after a pause.
  private func stayedLit(_ name: String, _ error: DeviceError) {
    if stepLampRetry == nil {
      logger.error(
        "lamp may be lit still, and is turned off again later",
        metadata: ["lamp": "\(name)", "error": "\(error)"])
    }
    stepLampRetry = clock.now.advanced(by: LampSwitch.retryPause)
    if wantedStepLamp == nil {
      // The bracket does not wait for a dark that may never come.
      stepLight = light(isLit: true)
      stepLight?.failed(at: clock.now)
    }
    warn(of: .lamp)
    stateChanged()
  }

  private func turnedOff(_ name: String) {
    guard stepLampRetry != nil else { return }
    stepLampRetry = nil
    logger.notice("lamp obeys again", metadata: ["lamp": "\(name)"])
    if status.lamp?.fault == nil { endWarning(of: .lamp) }
  }

  /// Has a lamp turned off that stayed lit, when the time has come and no other lamp is wanted.
  func retryStepLamp() {
    let now = clock.now
    guard wantedStepLamp == nil, let time = stepLampRetry, time <= now else { return }
    stepLampRetry = now.advanced(by: LampSwitch.retryPause)
    announceStepLamp?.yield(nil)
  }

  /// Returns the light of the lamps, which have been switched just now.
  private func light(isLit: Bool) -> LampSwitch {
    LampSwitch(
      policy: LampPolicy(mode: .shot, leadTime: configuration.lamp.leadTime), isLit: isLit,
      since: clock.now)
  }
}
