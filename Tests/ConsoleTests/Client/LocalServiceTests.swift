import Devices
import Foundation
import TestSupport
import Testing

@testable import Console

/// The service's program, which may hang.
@Suite(.timeLimit(.minutes(10))) struct LocalServiceTests {
  @Test func `the service's program has a timeout`() async throws {
    let program = try ScriptedProgram("setsid sleep 90 & wait")
    let clock = ManualClock()
    let service = try LocalService(program: program.path, clock: clock)
    let task = Task { try await service.run(["--doctor"]) }
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: LocalProgram.Failure.self) { _ = try await task.value }
    #expect(error?.description.contains("did not end within 30 s") == true)
  }

  /// Output of a program that then hangs, whether its end is needed, and whether the output counts.
  static let hung = [("{}", false, false), ("{}\n", false, true), ("{}\n", true, false)]

  @Test(arguments: hung)
  func `the complete answer of a program that cannot end counts`(
    printed: String, needsEnd: Bool, counts: Bool
  ) async throws {
    // A process of its own writes the file: bash would point its output at the file meanwhile.
    let program = try ScriptedProgram(
      "printf '%s' '\(printed)'; (echo $$ >$here/said); setsid sleep 90 & wait")
    let clock = ManualClock()
    let service = try LocalService(program: program.path, clock: clock)
    let task = Task { try await service.run(["--doctor"], needsEnd: needsEnd) }
    await clock.untilSleepers(1)
    var said = ""
    try await eventually {
      said = program.text("said")
      return said.hasSuffix("\n")
    }
    try await untilItsOutputIsRead(try #require(Int32(said.dropLast())))
    clock.advance(by: .seconds(30))
    let outcome = try? await task.value
    #expect((outcome != nil) == counts)
    if counts { #expect(outcome?.output == Array(printed.utf8) && outcome?.isCutOff == true) }
  }

  /// Waits until the pipe into which a process prints is empty, which is when its output is kept.
  private func untilItsOutputIsRead(_ process: Int32) async throws {
    var output = pollfd(
      fd: open("/proc/\(process)/fd/1", O_RDONLY | O_NONBLOCK | O_CLOEXEC), events: Int16(POLLIN),
      revents: 0)
    try #require(output.fd >= 0)
    defer { close(output.fd) }
    try await eventually { poll(&output, 1, 0) <= 0 }
    #expect(output.revents == 0, "its output is not read")
  }
}
