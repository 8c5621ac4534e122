import Capture
import Devices
import Logging

/// Keeps the ``Capture/RestartRecord`` on the medium and does what it decides.
///
/// What is ended is written down before: a limit that a power cut could make forgotten is none. When
/// it cannot be written, the machine is not restarted, and the service only when it has run for a
/// while, which limits it, too.
actor RestartKeeper: LastResort {
  /// How long the service must have run when the record cannot be written.
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

  /// What an earlier run of the service did for the camera; `nil` when none ever did.
  nonisolated let earlier: EarlierRecovery?

  /// Files are written here, so not on the shared threads.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Reads the record; a damaged one is named in the log and replaced by an empty one that does not
  /// let the machine restart for a day.
  ///
  /// - Parameters:
  ///   - moment: gives the moment of an instant of the clock.
  ///   - restartMachine: asks for the machine's restart; `nil` where the service may not.
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
      // Without this the next run finds the damage again, which is as safe.
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
    // Once the machine ends nothing else is decided.
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

  /// Notes that the service will be ended from outside because a call of the camera hangs.
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
  /// The moment of an instant of this boot; the wall clock counts only when the kernel says that it
  /// is synchronised.
  static func ofThisBoot(at instant: MonotonicInstant) -> BootMoment {
    let reading = WallClock().reading(at: instant)
    return BootMoment(
      bootID: BootID.current, monotonicNanoseconds: instant.nanoseconds,
      wallNanoseconds: reading.trust == .synchronized ? reading.nanosecondsSinceEpoch : nil)
  }
}
