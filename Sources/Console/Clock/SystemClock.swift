public import Devices
import Foundation

/// The machine's clock, which systemd sets by its own program; no service of ours is needed.
///
/// timedated asks polkit whether the caller may, and enters what was done into the journal. It refuses
/// while a time service (NTP) is switched on, also one that reaches no server; so that is switched
/// off meanwhile.
public struct SystemClock: Sendable {
  /// Where Debian has the program.
  public static let program = "/usr/bin/timedatectl"
  /// How long the time service may take to end, or to set the clock again after its start.
  static let patience = Duration.seconds(20)
  /// The time between two attempts meanwhile.
  static let pause = Duration.milliseconds(200)
  /// How long the clock is watched after the time service has been switched on again.
  static let watch = Duration.seconds(2)
  /// What it may differ by then, in seconds.
  static let tolerance: Int64 = 30

  private let program: String
  private let clock: any MonotonicClock
  private let wallClock: @Sendable () -> Int64

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - program: systemd's program.
  ///   - clock: what waiting is measured with.
  ///   - wallClock: reads the clock that is set, in seconds since 1970; `nil` for the machine's.
  public init(
    program: String = SystemClock.program, clock: any MonotonicClock = SystemMonotonicClock(),
    wallClock: (@Sendable () -> Int64)? = nil
  ) {
    self.program = program
    self.clock = clock
    self.wallClock = wallClock ?? { Int64(Date().timeIntervalSince1970) }
  }

  /// Has the clock set; a time service that was on is on again afterwards.
  ///
  /// - Throws: ``LocalProgram/Failure``, which says whether it was set and what would help.
  public func set(_ instant: ClockInstant) async throws(LocalProgram.Failure) {
    SystemManager.note("user \(getuid()) asks systemd to set the clock to \(instant.text)")
    // To the end, also when who asked has gone: the time service has to be on again.
    let result = await Task { () async -> Result<Void, LocalProgram.Failure> in
      do throws(LocalProgram.Failure) {
        return .success(try await setAroundTimeService(instant))
      } catch {
        return .failure(error)
      }
    }.value
    try result.get()
  }

  private func setAroundTimeService(_ instant: ClockInstant) async throws(LocalProgram.Failure) {
    guard try await attempt(isTimeServiceOn) else {
      return try await attempt { () throws(LocalProgram.Failure) in try await setTime(instant) }
    }
    var problems: [String] = []
    do throws(LocalProgram.Failure) {
      try await attempt { () throws(LocalProgram.Failure) in
        try await run(["set-ntp", "false"])
        try await untilDone { () throws(LocalProgram.Failure) in try await setTime(instant) }
      }
    } catch {
      problems.append(error.description)
    }
    let setAt = clock.now
    do throws(LocalProgram.Failure) {
      // Also after a failure: switching it off may have been done for all that.
      try await untilDone { () throws(LocalProgram.Failure) in
        try await run(["set-ntp", "true"])
      }
    } catch {
      // Who may not switch it on could not switch it off either.
      if (try? await isTimeServiceOn()) != true {
        problems.append(
          "The time service (NTP) could not be switched on again: \(error.description) Somebody "
            + "with a shell on the rig: \"timedatectl set-ntp true\".")
      }
    }
    guard problems.isEmpty else {
      throw LocalProgram.Failure(description: problems.joined(separator: " "))
    }
    try await watch(instant, since: setAt)
  }

  /// A time service that starts sets the clock to the latest time that it has kept when the clock is
  /// behind that, before it has heard of any server (systemd-timesyncd.service(8)).
  private func watch(
    _ instant: ClockInstant, since setAt: MonotonicInstant
  ) async throws(LocalProgram.Failure) {
    let end = clock.now.advanced(by: Self.watch)
    while true {
      let isLast = clock.now >= end
      let expected = instant.secondsSinceEpoch + setAt.duration(to: clock.now).components.seconds
      let now = wallClock()
      guard abs(now - expected) <= Self.tolerance else {
        let text = Date(timeIntervalSince1970: Double(now)).formatted(.iso8601)
        throw LocalProgram.Failure(
          description:
            "The clock was set to \(instant.text), and the time service (NTP) has set it "
            + "to \(text) since: by a server, or where none can be reached by the latest time that it "
            + "has kept. Against that somebody with a shell on the rig: remove "
            + "\"/var/lib/systemd/timesync/clock\", then set the clock again.")
      }
      guard !isLast else { return }
      try? await clock.sleep(for: Self.pause)
    }
  }

  private func isTimeServiceOn() async throws(LocalProgram.Failure) -> Bool {
    try await run(["show", "--property=NTP", "--value"]) == "yes"
  }

  /// A number that was made here, never anything that was typed.
  private func setTime(_ instant: ClockInstant) async throws(LocalProgram.Failure) {
    try await run(["set-time", "@\(instant.secondsSinceEpoch)"])
  }

  /// Tries again what timedated refuses because the time service is still ending or starting.
  private func untilDone(
    _ act: () async throws(LocalProgram.Failure) -> Void
  ) async throws(LocalProgram.Failure) {
    let deadline = clock.now.advanced(by: Self.patience)
    while true {
      do throws(LocalProgram.Failure) {
        return try await act()
      } catch {
        let isPassing = ["Previous request is not finished", "time synchronization is enabled"]
          .contains { error.description.contains($0) }
        guard isPassing, clock.now < deadline else { throw error }
      }
      try? await clock.sleep(for: Self.pause)
    }
  }

  /// Says of a failure that the clock was not set, and what may help.
  private func attempt<Value>(
    _ act: () async throws(LocalProgram.Failure) -> Value
  ) async throws(LocalProgram.Failure) -> Value {
    do throws(LocalProgram.Failure) {
      return try await act()
    } catch {
      throw LocalProgram.Failure(
        description: "The clock was not set: \(error.description) polkit/50-platen.rules lets "
          + "members of the group platen-technician do it.")
    }
  }

  /// Runs the program.
  ///
  /// - Returns: the first line that it said.
  /// - Throws: ``LocalProgram/Failure`` with the cause alone.
  @discardableResult
  private func run(_ arguments: [String]) async throws(LocalProgram.Failure) -> String {
    let outcome = try await LocalProgram(program, ["--no-ask-password"] + arguments).run()
    guard outcome.status == 0 else {
      let complaint = outcome.complaint.split(separator: "\n").first.map(String.init)
      let cause = complaint ?? "timedatectl ended with \(outcome.status)"
      throw LocalProgram.Failure(description: cause.hasSuffix(".") ? cause : cause + ".")
    }
    let output = String(decoding: outcome.output, as: UTF8.self)
    return output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
