import Devices

/// The restarts of the service and reboots of the machine for the camera, kept across them.
///
/// Two numbers are limited: restarts within a time, and restarts in a row without a working camera
/// in between. An event of an earlier boot is as old as the wall clock proves, or at least as old
/// as this boot. If its age cannot be proven, it counts.
package struct RestartRecord: Sendable, Hashable, Codable {
  /// The kind of a restart.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// A restart of the service by its supervisor.
    case service
    /// A reboot of the machine.
    case machine

    /// The time in which restarts of this kind are counted.
    var window: Duration { self == .service ? .seconds(3600) : .seconds(86_400) }
  }

  /// The decision at the end of the ladder.
  package enum Decision: Sendable, Hashable {
    /// End the service; the supervisor restarts it.
    case restartService
    /// Reboot the machine.
    case restartMachine
    /// Neither is allowed now, for this reason; continue with gentler means.
    case wait(String)
  }

  /// The limits of restarts and reboots.
  package struct Policy: Sendable, Hashable {
    /// The maximum number of restarts of the service within an hour; 0 for none at all.
    package var serviceRestartsPerHour: Int
    /// Whether the machine may be rebooted.
    package var mayRestartMachine: Bool
    /// The maximum number of reboots within a day; 0 for none at all.
    package var machineRestartsPerDay: Int
    /// The number of restarts of the service in a row before the machine is rebooted, 1 or more.
    package var restartsBeforeMachine: Int
    /// The maximum number of reboots in a row without a working camera in between.
    package var machineRestartsInARow: Int

    /// Makes a policy; without arguments the machine is never rebooted.
    package init(
      serviceRestartsPerHour: Int = 6, mayRestartMachine: Bool = false,
      machineRestartsPerDay: Int = 2, restartsBeforeMachine: Int = 2,
      machineRestartsInARow: Int = 2
    ) {
      self.serviceRestartsPerHour = max(0, serviceRestartsPerHour)
      self.mayRestartMachine = mayRestartMachine
      self.machineRestartsPerDay = max(0, machineRestartsPerDay)
      self.restartsBeforeMachine = max(1, restartsBeforeMachine)
      self.machineRestartsInARow = max(1, machineRestartsInARow)
    }
  }

  /// A restart or reboot, and its reason.
  package struct Entry: Sendable, Hashable, Codable {
    /// The kind of the restart.
    package var kind: Kind
    /// The time of the restart.
    package var moment: BootMoment
    /// The fault that led to it, in words.
    package var fault: String
  }

  /// The maximum number of entries kept; older ones exceed every limit that can be configured.
  package static let maximumEntries = 128

  /// The restarts of the last hour and the reboots of the last day, the oldest first.
  package private(set) var entries: [Entry] = []
  /// The last restart or reboot; `nil` when there was none.
  package private(set) var last: Entry?
  /// The number of restarts since the camera last worked or the machine was rebooted for it.
  package private(set) var serviceRestartCount = 0
  /// The number of reboots since the camera last worked.
  package private(set) var machineRestartCount = 0
  /// The time at which an older record was found lost; `nil` if never or over a day ago.
  package private(set) var lostAt: BootMoment?

  package init() {}

  /// Makes a record in place of an unreadable one.
  ///
  /// The record is empty. The machine is not rebooted for a day, because earlier reboots are
  /// unknown.
  package init(lostAt moment: BootMoment) {
    lostAt = moment
  }

  /// Decides how to proceed after a fault that no gentler means has repaired, and notes it.
  package mutating func decide(_ policy: Policy, fault: String, at now: BootMoment) -> Decision {
    forgetOld(at: now)
    let services = recent(.service, at: now)
    let mayRestartService = services < policy.serviceRestartsPerHour
    if serviceRestartCount >= policy.restartsBeforeMachine || !mayRestartService,
      mayRestartMachine(policy, at: now)
    {
      note(.machine, fault: fault, at: now)
      return .restartMachine
    }
    guard mayRestartService else {
      return .wait(
        policy.serviceRestartsPerHour == 0
          ? "the service may not be restarted for it"
          : "the service was restarted \(services.counted("time")) within an hour")
    }
    note(.service, fault: fault, at: now)
    return .restartService
  }

  /// Notes a restart or reboot for a fault, regardless of the limits.
  package mutating func note(_ kind: Kind, fault: String, at now: BootMoment) {
    let entry = Entry(kind: kind, moment: now, fault: fault)
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - RestartRecord.maximumEntries))
    last = entry
    switch kind {
    case .service: serviceRestartCount += 1
    case .machine:
      serviceRestartCount = 0
      machineRestartCount += 1
    }
  }

  /// Notes that the camera works; returns whether that changed the record.
  ///
  /// Entries of the last hour or day still count for the limits.
  package mutating func cameraWorks() -> Bool {
    guard serviceRestartCount > 0 || machineRestartCount > 0 else { return false }
    serviceRestartCount = 0
    machineRestartCount = 0
    return true
  }

  private func mayRestartMachine(_ policy: Policy, at now: BootMoment) -> Bool {
    policy.mayRestartMachine && lostAt == nil
      && machineRestartCount < policy.machineRestartsInARow
      && recent(.machine, at: now) < policy.machineRestartsPerDay
  }

  private func recent(_ kind: Kind, at now: BootMoment) -> Int {
    entries.count { $0.kind == kind && now.leastTime(since: $0.moment) < kind.window }
  }

  private mutating func forgetOld(at now: BootMoment) {
    entries.removeAll { now.leastTime(since: $0.moment) >= $0.kind.window }
    if let moment = lostAt, now.leastTime(since: moment) >= Kind.machine.window { lostAt = nil }
  }
}
