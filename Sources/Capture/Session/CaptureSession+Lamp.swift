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
    let needsLight = needsLight
    lampSwitch?.need(needsLight, at: now)
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
    case .shot: lampHolderCount > 0 || outputs.needsLight
    case nil: false
    }
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
      if isOn { lightChanged() }
      if status.lamp?.fault != nil {
        logger.notice("lamp obeys again", metadata: ["lamp": "\(lamp.name)"])
        endWarning(of: .lamp)
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

  /// The maximum time that a press may have to wait for the light.
  var lampDelay: Duration { lampSwitch?.delay(at: clock.now) ?? .zero }

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
    let end = clock.now.advanced(by: lampDelay)
    while needsLight, lampDelay > .zero, clock.now < end, !Task.isCancelled {
      await changeTimer.sleep(until: min(end, clock.now.advanced(by: lampDelay)))
    }
  }

  /// Ends a ``holdLight()``, after which the policy alone decides about the lamp.
  package func releaseLight() {
    lampHolderCount -= 1
    stateChanged()
  }
}
