import Devices
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Console

/// systemd's program for the clock, played by a script; the real one would set the clock.
@Suite struct SystemClockTests {
  /// Returns a script that reports whether a time service is on, and notes its arguments.
  private static func play(isOn: Bool, failing: String = "none") -> String {
    """
    echo "$*" >> "${0%/*}/said"
    [ "$2" = show ] && echo \(isOn ? "yes" : "no")
    [ "$2" != \(failing) ]
    """
  }

  private static let show = "--no-ask-password show --property=NTP --value\n"
  private static let set = "--no-ask-password set-time @1795383000\n"

  @Test func `systemd gets the time as a number`() async throws {
    let script = try ScriptedProgram(name: "timedatectl", Self.play(isOn: false))
    let instant = try ClockInstant("2026-11-22T22:30:00+01:00")
    try await SystemClock(program: script.path).set(instant)
    #expect(script.text("said") == Self.show + Self.set)
  }

  /// Sets the clock by a script, with a clock that waits for nothing.
  ///
  /// - Parameter late: the deviation of the machine's clock a second after its first reading.
  /// - Returns: the problem; `nil` for success.
  private func set(by script: ScriptedProgram, late: Int64 = 0) async throws -> String? {
    let instant = try ClockInstant("2026-11-22T22:30:00+01:00")
    let clock = ManualClock()
    let first = Mutex<MonotonicInstant?>(nil)
    let wallClock: @Sendable () -> Int64 = {
      let since = first.withLock { first in
        first = first ?? clock.now
        return first?.duration(to: clock.now) ?? .zero
      }
      return instant.secondsSinceEpoch + (since > .seconds(1) ? late : 0)
    }
    let mover = Task {
      while !Task.isCancelled {
        if clock.sleeperCount > 0 { clock.advance(by: SystemClock.pause) }
        await Task.yield()
      }
    }
    defer { mover.cancel() }
    do throws(LocalProgram.Failure) {
      try await SystemClock(
        program: script.path, clock: clock, wallClock: wallClock
      ).set(instant)
      return nil
    } catch {
      return error.description
    }
  }

  private static let off = "--no-ask-password set-ntp false\n"
  private static let on = "--no-ask-password set-ntp true\n"

  @Test(arguments: [("none", true), ("set-time", false)])
  func `a time service is off during the change and on again afterwards`(
    _ failing: String, _ isSet: Bool
  ) async throws {
    let script = try ScriptedProgram(name: "timedatectl", Self.play(isOn: true, failing: failing))
    let problem = try await set(by: script)
    #expect(isSet ? problem == nil : problem?.hasPrefix("The clock was not set: ") == true)
    #expect(script.text("said") == Self.show + Self.off + Self.set + Self.on)
  }

  /// timedated refuses while it still stops the time service.
  @Test(arguments: ["set-time", "set-ntp true"])
  func `a temporary refusal is retried`(_ words: String) async throws {
    let script = try ScriptedProgram(
      name: "timedatectl",
      Self.play(isOn: true)
        + """

        [[ "$*" != *"\(words)"* ]] && exit 0
        [ $(grep -c "\(words)" "${0%/*}/said") -gt 3 ] && exit 0
        echo "Failed to set it: Previous request is not finished, refusing." >&2
        exit 1
        """)
    let problem = try await set(by: script)
    #expect(problem == nil)
    #expect(script.text("said").split(separator: "\n").filter { $0.contains(words) }.count == 4)
    #expect(script.text("said").hasSuffix(Self.on))
  }

  @Test func `a lasting refusal leaves the time service on`() async throws {
    let script = try ScriptedProgram(
      name: "timedatectl",
      Self.play(isOn: true)
        + """

        [ "$2" != set-time ] && exit 0
        echo "Failed to set time: Previous request is not finished, refusing." >&2
        exit 1
        """)
    let problem = try await set(by: script)
    #expect(problem?.hasPrefix("The clock was not set: Failed to set time: Previous") == true)
    #expect(script.text("said").hasSuffix(Self.on))
  }

  /// Whether the time service is on afterwards, and whether the message says that it is off.
  @Test(arguments: [("yes", false), ("no", true)])
  func `two problems are both reported`(_ isOn: String, _ isTold: Bool) async throws {
    let script = try ScriptedProgram(
      name: "timedatectl",
      """
      echo "$*" >> "${0%/*}/said"
      if [ "$2" = show ]; then
        [ $(grep -c show "${0%/*}/said") = 1 ] && echo yes || echo \(isOn)
        exit 0
      fi
      echo "no $2 $3" >&2
      exit 1
      """)
    let problem = try await set(by: script)
    #expect(problem?.hasPrefix("The clock was not set: no set-ntp false. ") == true)
    #expect(
      problem?.contains("could not be switched on again: no set-ntp true. ") == isTold)
    #expect(script.text("said") == Self.show + Self.off + Self.on + Self.show)
  }

  @Test func `a clock that does not keep its time is reported`() async throws {
    let script = try ScriptedProgram(name: "timedatectl", Self.play(isOn: true))
    let problem = try await set(by: script, late: 86_400)
    #expect(problem?.contains("has set it to 2026-11-23T21:30:00Z since") == true)
    #expect(problem?.hasPrefix("The clock was set to 2026-11-22T21:30:00Z") == true)
  }

  /// The program's complaint, and words that the technician must see.
  static let refusals: [(String, [String])] = [
    (
      "Failed to set time: Interactive authentication required.",
      ["Interactive authentication required.", "polkit/50-platen.rules"]
    ),
    (
      "System has not been booted with systemd as init system (PID 1). Can't operate.\nMore",
      ["has not been booted with systemd"]
    ),
    ("", ["timedatectl ended with 1."]),
  ]

  @Test(arguments: refusals)
  func `a refusal is reported with its remedy`(_ complaint: String, _ words: [String]) async throws
  {
    let script = try ScriptedProgram(
      name: "timedatectl", "cat >&2 <<'END'\n\(complaint)\nEND\nexit 1")
    let instant = try ClockInstant("2026-11-22T21:30:00Z")
    let failure = await #expect(throws: LocalProgram.Failure.self) {
      try await SystemClock(program: script.path).set(instant)
    }
    let text = failure?.description ?? ""
    #expect(text.hasPrefix("The clock was not set: ") && !text.contains("More"))
    for word in words { #expect(text.contains(word), "\(text)") }
  }

  @Test func `a missing program is reported`() async throws {
    let instant = try ClockInstant("2026-11-22T21:30:00Z")
    let failure = await #expect(throws: LocalProgram.Failure.self) {
      try await SystemClock(program: "/nonexistent/timedatectl").set(instant)
    }
    #expect(failure?.description.contains("/nonexistent/timedatectl") == true)
  }
}
