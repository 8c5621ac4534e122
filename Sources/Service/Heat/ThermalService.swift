import Capture
import Devices
import Logging
import RigConfiguration
import ServiceLifecycle

/// The service that reads the temperatures and the firmware's flags, and makes the rig react.
///
/// The session's constraints are applied in parallel with the readings. A camera that hangs
/// therefore does not delay the power off of an overheated rig. A sensor that never answers does
/// not delay it either: see ``HeatReader``.
struct ThermalService: Service {
  let sensors: [any TemperatureSensor]
  let throttle: (any ThrottleSensor)?
  let section: ThermalSection
  let undervoltage: PowerSection.UndervoltageEffect
  let session: CaptureSession
  let monitor: RigMonitor
  /// The request to end the service and power the machine off; `nil` if that is impossible.
  let ending: SystemEnding?
  let clock: any MonotonicClock
  let logger: Logger

  /// The state that is kept from one reading to the next.
  private struct Memory {
    var governor: ThermalGovernor
    var reader: HeatReader
    var supply = UndervoltageDetector()
    var heat = RigMonitor.Heat()
  }

  func run() async throws {
    let (constraints, apply) = AsyncStream.makeStream(
      of: CaptureConstraints.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await constraints in constraints { await session.apply(constraints) }
      }
      group.addTask {
        await cancelWhenGracefulShutdown { await watch(apply) }
        apply.finish()
      }
    }
  }

  private func watch(_ apply: AsyncStream<CaptureConstraints>.Continuation) async {
    var configuration = section.governor
    if ending == nil { configuration.removeHardLimits() }
    var memory = Memory(
      governor: ThermalGovernor(configuration: configuration),
      reader: HeatReader(sensors: sensors, throttle: throttle, clock: clock, logger: logger))
    while !Task.isCancelled {
      let round = await memory.reader.read()
      let (readings, status) = (round.readings, round.throttle)
      let update = memory.governor.update(readings, flags: round.flags, at: clock.now)
      let before = memory.heat
      if let hot = update.shutdown, !before.isShuttingDown { shutDown(hot) }
      memory.heat.temperatures = round.temperatures.map {
        RigMonitor.Temperature(
          zone: $0.zone, celsius: $0.celsius, limits: configuration.limits(of: $0.zone))
      }
      memory.heat.state = memory.governor.state
      memory.heat.hottest = memory.governor.hottest(readings)
      memory.heat.throttle = status
      memory.heat.throttleProblem = round.throttleProblem
      memory.heat.constraints = section.policy.constraints(in: memory.governor.state)
      let supply = memory.supply.update(status?.now, at: clock.now)
      memory.heat.isUndervoltage = memory.supply.isUndervoltage
      if update.shutdown != nil { memory.heat.isShuttingDown = true }
      await monitor.note(heat: memory.heat, readAt: clock.now)
      if let change = update.change { log(change, readings) }
      if memory.heat.constraints.capture != before.constraints.capture {
        apply.yield(memory.heat.constraints.capture)
      }
      if let supply { await note(supply) }
      // A sensor sends no event when its temperature changes.
      do { try await clock.sleep(untilNext: section.interval) } catch { break }
    }
  }

  // MARK: Acting

  private func log(_ change: ThermalGovernor.Change, _ readings: [ThermalReading]) {
    var metadata: Logger.Metadata = [
      "thermal.state": "\(change.to.rawValue)", "thermal.before": "\(change.from.rawValue)",
    ]
    if let hottest = change.hottest {
      metadata["thermal.zone"] = "\(hottest.zone)"
      metadata["thermal.temperature"] = "\(hottest.celsius)"
    }
    if !change.flags.isEmpty {
      let names = change.flags.elements.map(\.rawValue)
      metadata["thermal.firmware"] = "\(names.joined(separator: ", "))"
    }
    logger.log(
      level: change.to >= .serious ? .warning : .notice, "thermal state changed",
      metadata: metadata)
  }

  private func note(_ change: UndervoltageDetector.Change) async {
    switch (change, undervoltage) {
    case (.begins, .warn): await session.warn(of: .undervoltage)
    case (.begins, .refuse): await session.beginInterruption(.undervoltage)
    case (.ends, .warn): await session.endWarning(of: .undervoltage)
    case (.ends, .refuse): await session.endInterruption(.undervoltage)
    }
  }

  private func shutDown(_ hot: ThermalReading) {
    logger.critical(
      "too hot to go on, switching off",
      metadata: ["thermal.zone": "\(hot.zone)", "thermal.temperature": "\(hot.celsius)"])
    ending?.request(.powerOff)
  }
}
