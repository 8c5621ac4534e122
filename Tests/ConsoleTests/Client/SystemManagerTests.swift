import API
import Devices
import Foundation
import Testing
import TestSupport

@testable import Console

/// systemd, played by a script; the real one would obey.
@Suite struct SystemManagerTests {
  @Test(
    arguments: [
      (.serviceRestart, "--no-ask-password --no-block restart platend.service\n"),
      (.machineRestart, "--no-ask-password reboot\n"), (.powerOff, "--no-ask-password poweroff\n"),
    ] as [(EndingReport.Ending, String)])
  func `systemd gets the right command for each ending`(
    _ ending: EndingReport.Ending, _ said: String
  ) async throws {
    let script = try ScriptedProgram(name: "systemctl", "echo \"$*\" > \"${0%/*}/said\"")
    try await SystemManager(program: script.path).end(ending)
    #expect(script.text("said") == said)
  }

  @Test func `a refusal by systemd is reported`() async throws {
    let script = try ScriptedProgram(
      name: "systemctl", "echo 'Interactive authentication required.' >&2; exit 1")
    let error = await #expect(throws: LocalProgram.Failure.self) {
      try await SystemManager(program: script.path).end(.machineRestart)
    }
    #expect(error?.description.contains("Interactive authentication required.") == true)
    #expect(error?.description.contains("polkit") == true)
    await #expect(throws: LocalProgram.Failure.self) {
      try await SystemManager(program: "/nonexistent/systemctl").end(.machineRestart)
    }
  }

  /// The codes stand for a full or hung disk, `power: { method: none }`, and missing supervision.
  ///
  /// The other codes are for callers and moments that are refused.
  @Test(
    arguments: [
      (.serviceRestart, .unavailable, true), (.machineRestart, .unavailable, true),
      (.powerOff, .unavailable, true), (.machineRestart, .unsupported, true),
      (.powerOff, .unsupported, true), (.serviceRestart, .unsupported, false),
      (.machineRestart, .forbidden, false), (.powerOff, .unauthenticated, false),
      (.machineRestart, .conflict, false), (.serviceRestart, .conflict, false),
      (.powerOff, .tooManyRequests, false), (.powerOff, .invalidRequest, false),
      (.serviceRestart, .internalError, false),
    ] as [(EndingReport.Ending, APIError.Code, Bool)])
  func `systemd ends only what the service itself cannot end`(
    _ ending: EndingReport.Ending, _ code: APIError.Code, _ isAsked: Bool
  ) {
    let refusal = APIError(code, "It goes on.")
    #expect(SystemManager.mayEnd(ending, after: refusal, board: "linux") == isAsked)
    #expect(!SystemManager.mayEnd(ending, after: refusal, board: "simulated"))
  }

  @Test func `the unit's state is read as printed`() async throws {
    let script = try ScriptedProgram(
      name: "systemctl", "printf 'ActiveState=failed\\nResult=exit-code\\nSecret=x\\nNoise\\n'")
    let unit = await SystemManager(program: script.path, timeout: .seconds(60)).unit()
    #expect(unit == ["ActiveState": "failed", "Result": "exit-code"])
    #expect(await SystemManager(program: "/nonexistent/systemctl").unit() == nil)
  }
}
