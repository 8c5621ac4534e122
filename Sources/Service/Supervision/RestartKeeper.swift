import Capture
import Devices
import Doctor
import Logging
import Spool

/// The keeper of the ``Capture/RestartRecord`` on the medium, which carries out its decisions.
///
/// A restart is recorded before it happens, so that a power cut cannot reset its limit. When the
/// record cannot be written, the machine does not reboot. The service then restarts only after it
/// has run for a while, which is a limit, too.
actor RestartKeeper: LastResort {
  /// The time that the service must have run when the record cannot be written.
  static let unrecordedUptime = Duration.seconds(600)

  private let executor = DispatchQueueExecutor(label: "platen.recovery")
  private let file: RestartRecordFile
  private let policy: RestartRecord.Policy
  private let clock: any MonotonicClock
  private let moment: @Sendable (MonotonicInstant) -> BootMoment
  private let restartMachine: (@Sendable () -> Void)?
  private let logger: Logger
  private let startedAt: MonotonicInstant
  private var record: RestartRecord
  private var decided: RestartRecord.Decision?

  /// The recovery by an earlier run of the service; `nil` when there was none.
  nonisolated let earlier: EarlierRecovery?

  /// The executor of the actor: writing files would block the shared threads.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Reads the record.
  ///
  /// A damaged record is named in the log. Its empty replacement prevents a reboot for a day.
  ///
  /// - Parameters:
  ///   - moment: the function that returns the moment of an instant of the clock.
  ///   - restartMachine: the function that requests a reboot; `nil` if the service may not reboot.
  init(
    file: RestartRecordFile, policy: RestartRecord.Policy, clock: any MonotonicClock,
    moment: @escaping @Sendable (MonotonicInstant) -> BootMoment,
    restartMachine: (@Sendable () -> Void)?, logger: Logger
  ) {
    self.file = file
    var policy = policy
    if restartMachine == nil { policy.mayRestartMachine = false }
    self.policy = policy
    self.clock = clock
    self.moment = moment
    self.restartMachine = restartMachine
    self.logger = logger
    startedAt = clock.now
    let found: RestartRecord
    do throws(DeviceError) {
      found = try file.read() ?? RestartRecord()
    } catch {
      logger.error(
        "the record of restarts is lost, the machine is not restarted for the camera for a day",
        metadata: ["error": "\(error)"])
      found = RestartRecord(lostAt: moment(clock.now))
      // If the write fails, the next run finds the damage again, which is as safe.
      try? file.write(found)
    }
    record = found
    earlier = found.last.map {
      EarlierRecovery(
        fault: $0.fault, rung: $0.kind == .machine ? .restartMachine : .restartService)
    }
    if let last = found.last, found.serviceRestartCount + found.machineRestartCount > 0 {
      logger.notice(
        "was restarted for the camera's sake",
        metadata: [
          "error": "\(last.fault)", "recovery.kind": "\(last.kind.rawValue)",
          "recovery.serviceRestarts": "\(found.serviceRestartCount)",
          "recovery.machineRestarts": "\(found.machineRestartCount)",
        ])
    }
  }

  func decide(after error: DeviceError) -> RestartRecord.Decision {
    // Once the machine reboots, this decision is final.
    if decided == .restartMachine { return .restartMachine }
    var next = record
    let decision = next.decide(policy, fault: error.description, at: moment(clock.now))
    if case .wait = decision { return decision }
    do throws(DeviceError) {
      try file.write(next)
    } catch {
      logger.error("a restart cannot be recorded", metadata: ["error": "\(error)"])
      guard decision == .restartService,
        startedAt.duration(to: clock.now) >= RestartKeeper.unrecordedUptime
      else { return .wait("it cannot be recorded: \(error)") }
    }
    record = next
    decided = decision
    logger.critical(
      decision == .restartMachine
        ? "the machine is restarted for the camera's sake"
        : "the service ends for the camera's sake", metadata: ["error": "\(error)"])
    if decision == .restartMachine { restartMachine?() }
    return decision
  }

  /// Notes that the supervisor will kill the service because a call of the camera hangs.
  func willBeKilled(for fault: String) {
    record.note(.service, fault: fault, at: moment(clock.now))
    save()
  }

  nonisolated func cameraWorks() {
    Task { await noteThatCameraWorks() }
  }

  private func noteThatCameraWorks() {
    if record.cameraWorks() { save() }
  }

  private func save() {
    do throws(DeviceError) {
      try file.write(record)
    } catch {
      logger.error("the record of restarts cannot be written", metadata: ["error": "\(error)"])
    }
  }
}

extension BootMoment {
  /// Returns the moment of an instant of this boot.
  ///
  /// The wall clock counts only when the kernel reports that it is synchronized.
  static func ofThisBoot(at instant: MonotonicInstant) -> BootMoment {
    let reading = WallClock().reading(at: instant)
    return BootMoment(
      bootID: BootID.current, monotonicNanoseconds: instant.nanoseconds,
      wallNanoseconds: reading.trust == .synchronized ? reading.nanosecondsSinceEpoch : nil)
  }
}
