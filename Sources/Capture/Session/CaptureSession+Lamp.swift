import Devices
import Logging

/// The session's lamp.
///
/// A task of its own switches the lamp beside the camera, so that a lamp that hangs or fails delays no
/// picture.
extension CaptureSession {
  /// Determines whether the light is needed now, and has the lamp switched when that changes.
  func refreshLamp() {
    guard lampSwitch != nil else { return }
    let now = clock.now
    // Both read the lamp's switch, which the call changes.
    let (needsLight, forbidsLight) = (needsLight, forbidsLight)
    lampSwitch?.need(needsLight, isForbidden: forbidsLight, at: now)
    if lampSwitch?.isOverdue(at: now) == true {
      lightChanged()
      lampFailed("it was not switched within \(LampSwitch.longestChange)")
    }
    if lampSwitch?.isDue(at: now) == true { announceLamp?.yield() }
  }

  private var needsLight: Bool {
    guard status.isRunning, status.stream != nil else { return false }
    return switch lampSwitch?.policy.mode {
    case .session: true
    case .shot:
      lampHolderCount > 0 || outputs.needsLight
        || (outputs.movie.needsLight && settings.flashMode ?? .on == .on)
    case nil: false
    }
  }

  /// Whether the oldest press that waits for its frame needs the lamp dark.
  private var forbidsLight: Bool {
    lampSwitch?.policy.mode == .shot && lampHolderCount == 0 && outputs.photo.wantedLight == false
  }

  /// Switches the lamp until the task is canceled.
  func driveLamp() async {
    guard let lamp, lampSwitch != nil else { return }
    let (signals, announce) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    announceLamp = announce
    defer { announceLamp = nil }
    stateChanged()
    for await _ in signals {
      while !Task.isCancelled, let isOn = lampSwitch?.begin(at: clock.now) {
        await turn(lamp, on: isOn)
      }
    }
  }

  private func turn(_ lamp: any Lamp, on isOn: Bool) async {
    stateChanged()
    do throws(DeviceError) {
      try await lamp.turn(on: isOn)
      lampSwitch?.changed(at: clock.now)
      // Frames exposed in another light, or in none, are no candidates any more.
      if isOn { lightChanged() } else { outputs.take(.lampDarkened, now: clock.now) }
      if status.lamp?.fault != nil {
        logger.notice("lamp obeys again", metadata: ["lamp": "\(lamp.name)"])
        if stepLampRetry == nil { endWarning(of: .lamp) }
      }
      show(LampStatus(isLit: isOn))
    } catch {
      if lampSwitch?.isFailed == false { lightChanged() }
      lampSwitch?.failed(at: clock.now)
      lampFailed(error.description)
    }
    stateChanged()
  }

  private func lampFailed(_ fault: String) {
    if status.lamp?.fault != fault {
      logger.error(
        "lamp fails, pictures are taken without it",
        metadata: ["lamp": "\(lamp?.name ?? "")", "error": "\(fault)"])
    }
    warn(of: .lamp)
    show(LampStatus(isLit: lampSwitch?.isLit ?? false, fault: fault))
    // The light is not measured until the lamp obeys; meanwhile, `auto` tries the lamp.
    lightMeter.reset()
  }

  private func show(_ lamp: LampStatus) {
    guard status.lamp != lamp else { return }
    status.lamp = lamp
    events.send(.session(status))
  }

  /// Turns the lamp off for good.
  func extinguishLamp() async {
    guard let lamp else { return }
    do throws(DeviceError) {
      try await lamp.turn(on: false)
    } catch {
      logger.warning(
        "lamp may be lit still", metadata: ["lamp": "\(lamp.name)", "error": "\(error)"])
    }
    await lamp.release()
    status.lamp?.isLit = false
  }

  /// Returns the maximum time that a press may have to wait for the lamp's light, or for its end.
  ///
  /// Each press before it may need the other light.
  func lampDelay(lit isLit: Bool) -> Duration {
    guard let lampSwitch else { return .zero }
    let others = outputs.photo.requestCount(lit: !isLit)
    return others == 0
      ? lampSwitch.delay(at: clock.now, lit: isLit) : lampSwitch.longestTurn * (others + 1)
  }

  /// Keeps the lamp lit during work that needs the light, and begins it once exposures count.
  func withLight<Value>(
    _ work: () async throws(DeviceError) -> Value
  ) async throws(DeviceError) -> Value {
    await holdLight()
    defer { releaseLight() }
    return try await work()
  }

  /// Keeps the lamp lit until ``releaseLight()``, and returns once exposures count.
  ///
  /// Returns at once without a lamp, and while no camera streams.
  package func holdLight() async {
    lampHolderCount += 1
    stateChanged()
    // Presses that wait for the lamp to go dark do not delay the light that is there.
    func delay() -> Duration { lampSwitch?.delay(at: clock.now) ?? .zero }
    let end = clock.now.advanced(by: delay())
    while needsLight, delay() > .zero, clock.now < end, !Task.isCancelled {
      await changeTimer.sleep(until: min(end, clock.now.advanced(by: delay())))
    }
  }

  /// Ends a ``holdLight()``, after which the policy alone decides about the lamp.
  package func releaseLight() {
    lampHolderCount -= 1
    stateChanged()
  }
}
