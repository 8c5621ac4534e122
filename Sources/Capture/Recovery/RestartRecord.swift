/// How often the service and the machine have been ended for the camera's sake, kept over restarts
/// and reboots.
///
/// Two things are limited: how often in a while, and how often in a row without the camera working
/// in between. What happened in an earlier boot is as old as the wall clock proves, or at least as
/// old as this boot: what cannot be proven counts.
public struct RestartRecord: Sendable, Hashable, Codable {
  /// What is ended.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The service; its supervisor starts it anew.
    case service
    /// The machine, which starts anew.
    case machine

    /// In which time its restarts are counted.
    var window: Duration { self == .service ? .seconds(3600) : .seconds(86_400) }
  }

  /// What to do when the ladder is at its end.
  public enum Decision: Sendable, Hashable {
    /// End the service; the supervisor starts it anew.
    case restartService
    /// Restart the machine.
    case restartMachine
    /// Neither is allowed now, for this reason; go on with what is gentler.
    case wait(String)
  }

  /// What is allowed.
  public struct Policy: Sendable, Hashable {
    /// Restarts of the service within an hour, 0 for none at all.
    public var serviceRestartsPerHour: Int
    /// Whether the machine may be restarted.
    public var mayRestartMachine: Bool
    /// Restarts of the machine within a day, 0 for none at all.
    public var machineRestartsPerDay: Int
    /// After how many restarts of the service in a row the machine is restarted, 1 or more.
    public var restartsBeforeMachine: Int
    /// How many restarts of the machine in a row are allowed, until the camera has worked again.
    public var machineRestartsInARow: Int

    /// Makes a policy; without arguments the machine is never restarted.
    public init(
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

  /// Something that was ended, and why.
  public struct Entry: Sendable, Hashable, Codable {
    /// What was ended.
    public var kind: Kind
    /// When.
    public var moment: BootMoment
    /// The fault that led to it, in words.
    public var fault: String

    /// Makes an entry.
    public init(kind: Kind, moment: BootMoment, fault: String) {
      self.kind = kind
      self.moment = moment
      self.fault = fault
    }
  }

  /// How many entries are kept at most; older ones are beyond every limit that can be configured.
  public static let maximumEntries = 128

  /// The service's ends of the last hour and the machine's of the last day, the oldest first.
  public private(set) var entries: [Entry] = []
  /// What was ended last; `nil` when nothing ever was.
  public private(set) var last: Entry?
  /// Restarts of the service since the camera last worked or the machine was restarted for it.
  public private(set) var serviceRestartCount = 0
  /// Restarts of the machine since the camera last worked.
  public private(set) var machineRestartCount = 0
  /// When an older record was found to be lost; `nil` when that was never so or is a day ago.
  public private(set) var lostAt: BootMoment?

  /// Makes the record of a rig whose camera has always worked.
  public init() {}

  /// Makes a record in place of one that cannot be read.
  ///
  /// It is empty, but the machine is not restarted for a day: nobody knows how often it has been.
  public init(lostAt moment: BootMoment) {
    lostAt = moment
  }

  /// Decides how to go on after a fault that nothing gentler has mended, and notes it.
  public mutating func decide(_ policy: Policy, fault: String, at now: BootMoment) -> Decision {
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
          : "the service was restarted \(services) times within an hour")
    }
    note(.service, fault: fault, at: now)
    return .restartService
  }

  /// Notes that something is ended for a fault, whatever is allowed.
  public mutating func note(_ kind: Kind, fault: String, at now: BootMoment) {
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

  /// Notes that the camera works; returns whether that changed anything.
  ///
  /// What happened in the last hour or day still counts for the limits.
  public mutating func cameraWorks() -> Bool {
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
