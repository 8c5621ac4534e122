package import Devices
import Foundation

/// The machine's clock, set by systemd's own program without our service.
///
/// timedated asks polkit for the caller's permission and writes the action to the journal. While a
/// time service (NTP) is enabled, timedated refuses, even if that service reaches no server. The
/// time service is therefore disabled meanwhile.
package struct SystemClock: Sendable {
  /// The program's path in Debian.
  package static let program = "/usr/bin/timedatectl"
  /// The time that timedated may keep refusing because the time service is ending or starting.
  static let timeout = Duration.seconds(20)
  /// The time between two retries.
  static let pause = Duration.milliseconds(200)
  /// The time that the clock is watched after the time service has been enabled again.
  static let watch = Duration.seconds(2)
  /// The tolerated deviation at the end of the watch in seconds.
  static let tolerance: Int64 = 30

  private let program: String
  private let clock: any MonotonicClock
  private let wallClock: @Sendable () -> Int64

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - program: the path of systemd's program.
  ///   - clock: the clock for waiting.
  ///   - wallClock: a function that reads the clock to set, in seconds since 1970; `nil` for the
  ///     machine's.
  package init(
    program: String = SystemClock.program, clock: any MonotonicClock = SystemMonotonicClock(),
    wallClock: (@Sendable () -> Int64)? = nil
  ) {
    self.program = program
    self.clock = clock
    self.wallClock = wallClock ?? { Int64(Date().timeIntervalSince1970) }
  }

  /// Sets the clock and leaves an enabled time service enabled.
  ///
  /// - Throws: ``Devices/LocalProgram/Failure``, which says whether the clock was set and names a
  ///   remedy.
  package func set(_ instant: ClockInstant) async throws(LocalProgram.Failure) {
    SystemManager.note("user \(getuid()) asks systemd to set the clock to \(instant.text)")
    // The task runs to its end even if the caller has gone: the time service must be enabled again.
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
      // The time service is enabled after a failure too, because disabling may have succeeded
      // anyway.
      try await untilDone { () throws(LocalProgram.Failure) in
        try await run(["set-ntp", "true"])
      }
    } catch {
      // A caller that may not enable the time service could not disable it either.
      if (try? await isTimeServiceOn()) != true {
        problems.append(
          "The time service (NTP) could not be switched on again: \(error.description) "
            + "Let an administrator run \"timedatectl set-ntp true\".")
      }
    }
    guard problems.isEmpty else {
      throw LocalProgram.Failure(description: problems.joined(separator: " "))
    }
    try await watch(instant, since: setAt)
  }

  /// Watches the clock while the time service starts.
  ///
  /// systemd-timesyncd.service(8) sets a clock that is behind its last saved time to that time,
  /// before any server has answered.
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
            + "has kept. Let an administrator remove \"/var/lib/systemd/timesync/clock\", then set "
            + "the clock again.")
      }
      guard !isLast else { return }
      try? await clock.sleep(for: Self.pause)
    }
  }

  private func isTimeServiceOn() async throws(LocalProgram.Failure) -> Bool {
    try await run(["show", "--property=NTP", "--value"]) == "yes"
  }

  /// Sets the clock to a number made here, never to typed text.
  private func setTime(_ instant: ClockInstant) async throws(LocalProgram.Failure) {
    try await run(["set-time", "@\(instant.secondsSinceEpoch)"])
  }

  /// Retries while timedated refuses because the time service is still ending or starting.
  private func untilDone(
    _ act: () async throws(LocalProgram.Failure) -> Void
  ) async throws(LocalProgram.Failure) {
    let deadline = clock.now.advanced(by: Self.timeout)
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

  /// Adds to a failure's message that the clock was not set, and a remedy.
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
  /// - Returns: the first line of the output.
  /// - Throws: ``Devices/LocalProgram/Failure`` with the cause alone.
  @discardableResult
  private func run(_ arguments: [String]) async throws(LocalProgram.Failure) -> String {
    let outcome = try await LocalProgram(program, ["--no-ask-password"] + arguments).run()
    guard outcome.status == 0 else {
      let cause = outcome.firstComplaint ?? "timedatectl ended with \(outcome.status)"
      throw LocalProgram.Failure(description: cause.hasSuffix(".") ? cause : cause + ".")
    }
    let output = String(decoding: outcome.output, as: UTF8.self)
    return output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
