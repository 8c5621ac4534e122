import Capture
import TestSupport
import Testing

@Suite struct RestartRecordTests {
  private let service = RestartRecord.Decision.restartService
  private let machine = RestartRecord.Decision.restartMachine
  private let allowed = RestartRecord.Policy(
    serviceRestartsPerHour: 60, mayRestartMachine: true, machineRestartsPerDay: 24)

  private func at(_ minutes: Double, boot: String = "a") -> BootMoment {
    BootMoment(bootID: boot, monotonicNanoseconds: Int64(minutes * 60e9))
  }

  @Test func `the machine is never rebooted unless allowed`() {
    var record = RestartRecord()
    for minute in 0..<1000 {
      let decision = record.decide(.init(), fault: "gone", at: at(Double(minute) * 7))
      #expect(decision != machine)
    }
  }

  @Test func `reboots are limited until the camera works`() {
    var record = RestartRecord()
    var decisions: [RestartRecord.Decision] = []
    for minute in 0..<12 {
      decisions.append(record.decide(allowed, fault: "gone", at: at(Double(minute))))
    }
    let round = [service, service, machine]
    #expect(decisions == round + round + Array(repeating: service, count: 6))
    #expect(record.last?.fault == "gone")
    let changed = record.cameraWorks()
    #expect(changed)
    let again = record.cameraWorks()
    #expect(!again, "nothing needs to be written")
    let next = (20..<23).map { record.decide(allowed, fault: "gone", at: at(Double($0))) }
    #expect(next == round)
  }

  @Test func `the restarts of the service are limited per hour`() {
    let policy = RestartRecord.Policy(serviceRestartsPerHour: 3)
    var record = RestartRecord()
    var times: [Int] = []
    for minute in 0..<180 {
      if record.decide(policy, fault: "gone", at: at(Double(minute))) == service {
        times.append(minute)
      }
    }
    #expect(times == [0, 1, 2, 60, 61, 62, 120, 121, 122])
    var none = RestartRecord()
    let refused = none.decide(.init(serviceRestartsPerHour: 0), fault: "gone", at: at(1))
    #expect(refused == .wait("the service may not be restarted for it"))
    #expect(none.last == nil, "what was not done is not noted")
  }

  @Test func `a camera that works in between does not raise the limits`() {
    let policy = RestartRecord.Policy(
      serviceRestartsPerHour: 2, mayRestartMachine: true, machineRestartsPerDay: 1,
      restartsBeforeMachine: 1)
    var record = RestartRecord()
    var decisions: [RestartRecord.Decision] = []
    for minute in 0..<6 {
      decisions.append(record.decide(policy, fault: "gone", at: at(Double(minute))))
      _ = record.cameraWorks()
    }
    #expect(decisions.filter { $0 == service }.count == 2)
    #expect(decisions.filter { $0 == machine }.count == 1)
    #expect(decisions.last == .wait("the service was restarted 2 times within an hour"))
  }

  /// Without a trusted clock, an earlier boot is only as old as the present boot.
  @Test func `the limits hold over reboots`() {
    let policy = RestartRecord.Policy(
      mayRestartMachine: true, machineRestartsPerDay: 1, restartsBeforeMachine: 1,
      machineRestartsInARow: 100)
    var record = RestartRecord()
    record.note(.machine, fault: "gone", at: at(5000, boot: "a"))
    record.note(.service, fault: "gone", at: at(1, boot: "b"))
    let soon = record.decide(policy, fault: "gone", at: at(12 * 60, boot: "c"))
    #expect(soon == service)
    var proven = record
    let wall = BootMoment(bootID: "c", monotonicNanoseconds: 1, wallNanoseconds: 1 << 60)
    let unproven = proven.decide(policy, fault: "gone", at: wall)
    #expect(unproven == service, "one wall clock proves nothing")
    let later = record.decide(policy, fault: "gone", at: at(24 * 60, boot: "c"))
    #expect(later == machine)
  }

  @Test(arguments: [
    // Boot, minutes, wall hours; the least minutes since boot a, minute 60, wall hour 10.
    Age(boot: "a", minutes: 90, wall: 100, least: 30),
    Age(boot: "a", minutes: 30, wall: nil, least: 0),
    Age(boot: "b", minutes: 7, wall: nil, least: 7),
    Age(boot: "b", minutes: 7, wall: 12, least: 120),
    Age(boot: "b", minutes: 7, wall: 9, least: 7),
    Age(boot: nil, minutes: 7, wall: nil, least: 7),
  ])
  func `moments are as old as can be proven`(_ age: Age) {
    let hour: Int64 = 3_600_000_000_000
    let earlier = BootMoment(bootID: "a", monotonicNanoseconds: hour, wallNanoseconds: 10 * hour)
    let now = BootMoment(
      bootID: age.boot, monotonicNanoseconds: Int64(age.minutes * 60e9),
      wallNanoseconds: age.wall.map { $0 * hour })
    #expect(now.leastTime(since: earlier) == .seconds(age.least * 60))
    let damaged = BootMoment(
      bootID: "a", monotonicNanoseconds: .min, wallNanoseconds: .min)
    #expect(now.leastTime(since: damaged) >= .zero)
  }

  struct Age: Sendable {
    var boot: String?
    var minutes: Double
    var wall: Int64?
    var least: Double
  }

  @Test func `a lost record prevents a reboot for a day`() {
    var record = RestartRecord(lostAt: at(0))
    let early = (1..<20).map { record.decide(allowed, fault: "gone", at: at(Double($0))) }
    #expect(early.allSatisfy { $0 == service })
    let late = record.decide(allowed, fault: "gone", at: at(24 * 60))
    #expect(late == machine)
    #expect(record.lostAt == nil)
  }

  /// No limit is exceeded in any course of events and boots, and the record stays small.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func `no limit is ever exceeded`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let policy = RestartRecord.Policy(
      serviceRestartsPerHour: Int.random(in: 0...10, using: &random),
      mayRestartMachine: Bool.random(using: &random),
      machineRestartsPerDay: Int.random(in: 1...3, using: &random),
      restartsBeforeMachine: Int.random(in: 1...3, using: &random))
    var record = RestartRecord()
    // True time in minutes, which the record does not learn over boots.
    var (time, bootBegan, boot) = (0.0, 0.0, 0)
    var services: [Double] = []
    var machines: [Double] = []
    for _ in 0..<600 {
      time += Double.random(in: 0.1...90, using: &random)
      if Int.random(in: 0..<5, using: &random) == 0 { _ = record.cameraWorks() }
      let now = at(time - bootBegan, boot: "\(boot)")
      switch record.decide(policy, fault: "gone", at: now) {
      case .restartService: services.append(time)
      case .restartMachine:
        machines.append(time)
        boot += 1
        bootBegan = time
      case .wait: break
      }
      let lastHour = services.count { time - $0 < 60 }
      let lastDay = machines.count { time - $0 < 24 * 60 }
      #expect(lastHour <= policy.serviceRestartsPerHour, "seed \(seed)")
      #expect(lastDay <= policy.machineRestartsPerDay, "seed \(seed)")
      #expect(policy.mayRestartMachine || machines.isEmpty, "seed \(seed)")
      #expect(record.entries.count <= RestartRecord.maximumEntries, "seed \(seed)")
    }
  }
}
