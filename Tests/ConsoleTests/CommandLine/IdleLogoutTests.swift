import Console
import Devices
import Testing

@Suite struct IdleLogoutTests {
  private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

  private func after(_ seconds: Int) -> MonotonicInstant {
    start.advanced(by: .seconds(seconds))
  }

  private func check(
    _ idle: inout IdleLogout, _ now: MonotonicInstant, _ expected: IdleLogout.Action,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let action = idle.action(at: now)
    #expect(action == expected, sourceLocation: location)
  }

  @Test func `a warning comes a minute before the logout`() {
    var idle = IdleLogout(limit: .seconds(600), now: start)
    check(&idle, start, .wait(until: after(540)))
    check(&idle, after(540), .warn(end: after(600)))
    check(&idle, after(540), .wait(until: after(600)))
    check(&idle, after(600), .logOut)
  }

  @Test func `typing restarts the time and the warning`() {
    var idle = IdleLogout(limit: .seconds(600), now: start)
    check(&idle, after(550), .warn(end: after(600)))
    idle.noteInput(at: after(580))
    check(&idle, after(600), .wait(until: after(1120)))
    check(&idle, after(1120), .warn(end: after(1180)))
    // Earlier input than the latest is ignored.
    idle.noteInput(at: after(10))
    check(&idle, after(1180), .logOut)
  }

  @Test func `a running command counts as use`() {
    var idle = IdleLogout(limit: .seconds(600), now: start)
    idle.noteCommandBegins(at: after(10))
    check(&idle, after(5000), .wait(until: after(5540)))
    idle.noteCommandEnds(at: after(5001))
    // The planned check comes before the warning is due, whenever the command ends.
    check(&idle, after(5540), .wait(until: after(5541)))
    check(&idle, after(5541), .warn(end: after(5601)))
  }

  @Test func `a blocked terminal is no use and is not warned`() {
    var idle = IdleLogout(limit: .seconds(600), now: start)
    idle.noteCommandBegins(at: after(10))
    idle.noteWriting(true, at: after(20))
    check(&idle, after(550), .wait(until: after(560)))
    check(&idle, after(560), .wait(until: after(620)))
    // The terminal takes some output after all, and then none again.
    idle.noteWriting(false, at: after(600))
    check(&idle, after(620), .wait(until: after(1160)))
    idle.noteWriting(true, at: after(630))
    check(&idle, after(1160), .wait(until: after(1170)))
    check(&idle, after(1230), .logOut)
    // The command asks: a question is shown, and so is a warning.
    idle.noteCommandEnds(at: after(1231))
    check(&idle, after(1775), .warn(end: after(1831)))
  }

  @Test func `a short limit warns at its half`() {
    var idle = IdleLogout(limit: .seconds(60), now: start)
    check(&idle, start, .wait(until: after(30)))
    check(&idle, after(30), .warn(end: after(60)))
  }

  @Test(
    arguments: [
      ("0", .zero), ("0s", .zero), ("90s", .seconds(90)), ("90 s", .seconds(90)),
      ("10min", .seconds(600)), ("1h", .seconds(3600)), ("168h", .seconds(604_800)),
      ("169h", nil), ("10", nil), ("", nil), ("min", nil), ("-1s", nil), ("1.5h", nil),
      ("1 d", nil), ("99999999999s", nil), ("١s", nil),
    ] as [(String, Duration?)])
  func `durations have a unit`(_ text: String, _ duration: Duration?) {
    #expect(IdleLogout.duration(text) == duration)
  }
}
