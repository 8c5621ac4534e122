import API
import Devices
import TestSupport
import Testing

@testable import Doctor

@Suite(.timeLimit(.minutes(10))) struct RecorderCheckTests {
  /// Starts a program with the time of a busy machine.
  private func look(at path: String?) async -> RecorderCheck.Look {
    await RecorderCheck.look(at: path, timeout: .seconds(300))
  }

  @Test func `a rig without movies needs no recorder`() async {
    let check = RecorderCheck(isNeeded: false) { .missing }
    #expect(await check.findings().map(\.verdict) == [.notChecked])
  }

  @Test func `the program is started and says its version`() async throws {
    let current = try ScriptedProgram("test \"$1\" = --version && echo 1.2.3")
    #expect(await look(at: current.path) == .version("1.2.3"))
    #expect(await look(at: nil) == .missing)
  }

  @Test func `a program that cannot be started is told with its cause`() async throws {
    let complaint = "libavformat.so: cannot open shared object file"
    let linked = try ScriptedProgram("echo '\(complaint)' >&2; exit 127")
    #expect(await look(at: linked.path) == .failing(complaint))
    let silent = try ScriptedProgram("exit 3")
    #expect(await look(at: silent.path) == .failing("it ended with status 3"))
    let old = try ScriptedProgram("exit 0")
    #expect(await look(at: old.path) == .failing("it says no version"))
    guard case .failing = await look(at: "/nowhere/platen-recorder") else {
      Issue.record("a program that is not there was started")
      return
    }
  }
}
