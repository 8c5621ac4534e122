import Capture
import Devices
import Logging
import RigConfiguration
import Synchronization

/// The actions of the buttons on this rig.
///
/// An impossible action is refused in the log, without any effect.
struct RigActions: ButtonActions {
  let session: CaptureSession
  let monitor: RigMonitor
  /// Ends the service cleanly and powers the machine off; `nil` if the service may not.
  var powerOffMachine: (@Sendable () -> Void)?
  /// The part that makes recordings; `nil` for a rig without them.
  var movies: MovieControl?
  /// Enters lost edges into the ledger.
  var enterLostEdges: @Sendable (_ count: Int, _ button: String) -> Void = { _, _ in }
  private let heldFrames = HeldFrames()
  let logger: Logger

  func shoot(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    await takePicture(at: time, gesture, button, PhotoSettings())
  }

  func retake(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    await takePicture(at: time, gesture, button, PhotoSettings(replacesLastPhoto: true))
  }

  func bracket(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    let bracket = session.configuration.bracket ?? .standard
    await takePicture(at: time, gesture, button, PhotoSettings(bracket: bracket))
  }

  private func takePicture(
    at time: MonotonicInstant, _ gesture: Gesture, _ button: String, _ settings: PhotoSettings
  ) async {
    do {
      let number = try await session.press(
        at: time, source: .button, gesture: gesture, button: button, settings: settings,
        anticipation: heldFrames.take(time))
      logger.info(
        "shutter pressed",
        metadata: [
          "press.number": "\(number)", "button": "\(button)",
          "button.gesture": "\(gesture.rawValue)",
        ])
    } catch {
      logger.critical(
        "a press got no number and no picture",
        metadata: ["button": "\(button)", "error": "\(error)"])
    }
  }

  func anticipate(at time: MonotonicInstant, button: String) async {
    guard let anticipation = await session.anticipate(at: time) else { return }
    heldFrames.keep(anticipation, for: time)
  }

  func withdraw(at time: MonotonicInstant, button: String) async {
    guard let anticipation = heldFrames.take(time) else { return }
    await session.withdraw(anticipation)
  }

  func record(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    guard let movies else { return refuse(.record, button) }
    do throws(MovieError) {
      try await movies.toggle(at: time, gesture: gesture, button: button)
    } catch {
      logger.warning(
        "no recording begins or ends",
        metadata: ["button": "\(button)", "error": "\(error.description)"])
    }
  }

  func focus(button: String) async {
    do {
      try await session.focus()
    } catch {
      logger.warning("the focus stays", metadata: ["button": "\(button)", "error": "\(error)"])
    }
  }

  func switchCamera(button: String) async {
    do {
      let resolved = try await session.switchCamera()
      logger.notice(
        "camera switched",
        metadata: ["button": "\(button)", "camera.role": "\(resolved.settings.camera)"])
    } catch {
      logger.warning("the camera stays", metadata: ["button": "\(button)", "error": "\(error)"])
    }
  }

  // MARK: uploads

  var areUploadsPaused: Bool { get async { await monitor.snapshot.areUploadsPaused } }

  func setUploadsPaused(_ isPaused: Bool, button: String) async {
    logger.notice(
      isPaused ? "uploads are held back" : "uploads go on", metadata: ["button": "\(button)"])
    await monitor.note(uploadsPaused: isPaused)
  }

  // MARK: power

  func setPowerOffArmed(until instant: MonotonicInstant?, button: String) async {
    logger.notice(
      instant == nil
        ? "the power-off was called off"
        : "the power goes off soon unless a button is pressed", metadata: ["button": "\(button)"])
    await monitor.note(powerOffArmedUntil: instant)
  }

  func powerOff(button: String) async {
    guard let powerOffMachine else {
      refuse(.powerOff, button)
      return await monitor.note(powerOffArmedUntil: nil)
    }
    logger.notice("the power goes off, ending", metadata: ["button": "\(button)"])
    powerOffMachine()
  }

  // MARK: faults

  func beginFault(_ reason: InterruptionReason, button: String) async {
    logger.warning(
      "something is wrong with a button",
      metadata: ["button": "\(button)", "button.reason": "\(reason)"])
    await monitor.begin(RigMonitor.Fault(reason: reason, part: button))
  }

  func endFault(_ reason: InterruptionReason, button: String) async {
    logger.notice(
      "a button is in order again",
      metadata: ["button": "\(button)", "button.reason": "\(reason)"])
    await monitor.end(RigMonitor.Fault(reason: reason, part: button))
  }

  func noteSpikes(_ count: Int, button: String) async {
    await monitor.note(spikes: count, of: button)
  }

  func loseEdges(_ count: Int, at time: MonotonicInstant, button: String) async {
    logger.warning(
      "edges of a button were lost",
      metadata: [
        "button": "\(button)", "button.lostEdges": "\(count)",
        "button.time": "\(time.nanoseconds)",
      ])
    enterLostEdges(count, button)
    await monitor.note(lostEdges: count, of: button)
  }

  private func refuse(_ action: ButtonAction, _ button: String) {
    logger.error(
      "not available on this rig",
      metadata: ["button": "\(button)", "button.action": "\(action.rawValue)"])
  }
}

/// The frames of undecided gestures, by the time of their push.
private final class HeldFrames: Sendable {
  private let anticipations = Mutex<[MonotonicInstant: Anticipation]>([:])

  func keep(_ anticipation: Anticipation, for time: MonotonicInstant) {
    anticipations.withLock { $0[time] = anticipation }
  }

  func take(_ time: MonotonicInstant) -> Anticipation? {
    anticipations.withLock { $0.removeValue(forKey: time) }
  }
}
