import Devices
import Foundation
import SimulatedDevices
import Testing

@testable import Console

/// Programs that end, and one whose output goes on after it is killed.
///
/// The latter behaves like a program that waits for a dead disk and cannot be killed.
@Suite(.timeLimit(.minutes(10))) struct BoundedProgramTests {
  private static let stuck = ["-c", "echo begun; sleep 90 & wait"]

  @Test func `a program's whole output and its status are returned`() async throws {
    let outcome = try await BoundedProgram(
      path: "/bin/bash", arguments: ["-c", "cat; echo \"$NAME\"; echo oops >&2; exit 3"],
      environment: ["NAME": "value"], input: Array("input ".utf8), maximumComplaintBytes: 3
    ).run()
    #expect(outcome.end == .complete && outcome.status == 3)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "input value\n")
    #expect(String(decoding: outcome.complaint, as: UTF8.self) == "oop")
  }

  /// A pipe holds far less than this input.
  @Test func `a program gets its whole input`() async throws {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
    let outcome = try await BoundedProgram(path: "/bin/cat", arguments: [], input: input).run()
    #expect(outcome.end == .complete && outcome.status == 0 && outcome.output == input)
    let deaf = try await BoundedProgram(path: "/bin/true", arguments: [], input: input).run()
    #expect(deaf.end == .complete && deaf.status == 0)
  }

  @Test func `the caller goes on after the timeout`() async throws {
    let clock = ManualClock()
    let program = BoundedProgram(path: "/bin/bash", arguments: Self.stuck, clock: clock)
    async let outcome = program.run()
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(30))
    let result = try await outcome
    #expect(result.end == .late && result.status == 128 + SIGKILL)
  }

  @Test func `the caller goes on when cancelled`() async throws {
    let task = Task {
      try await BoundedProgram(path: "/bin/bash", arguments: Self.stuck).run()
    }
    task.cancel()
    let result = try await task.value
    #expect(result.end == .cancelled)
  }

  @Test func `too much output is cut off`() async throws {
    let outcome = try await BoundedProgram(
      path: "/usr/bin/yes", arguments: [], maximumBytes: 100_000
    ).run()
    #expect(outcome.end == .tooMuch && outcome.output.count == 100_000)
  }

  @Test func `many programs leave no descriptors behind`() async throws {
    func count() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
    func run() async throws {
      for input in [[], Array("said".utf8)] {
        let outcome = try await BoundedProgram(
          path: "/bin/cat", arguments: [], input: input, maximumComplaintBytes: 100
        ).run()
        #expect(outcome.output == input)
      }
    }
    try await run()
    let before = count()
    for _ in 0..<40 { try await run() }
    // A thread may still be ending.
    for _ in 0..<1000 where count() > before + 10 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(count() <= before + 10)
  }

  @Test func `a missing program is an error`() async {
    let error = await #expect(throws: BoundedProgram.Failure.self) {
      _ = try await BoundedProgram(path: "/nonexistent", arguments: []).run()
    }
    #expect(error == BoundedProgram.Failure(cause: nil))
  }

  @Test func `the service's program has a timeout`() async throws {
    let path = NSTemporaryDirectory() + "platen-service-" + UUID().uuidString
    try "#!/bin/bash\nsleep 90 & wait\n".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let clock = ManualClock()
    let service = try LocalService(program: path, clock: clock)
    let task = Task { try await service.run(["--doctor"]) }
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: LocalService.Failure.self) { _ = try await task.value }
    #expect(error?.description.contains("did not end within 30 s") == true)
  }

  /// Output of a program that then hangs, whether its end is needed, and whether the output counts.
  static let hung = [("{}", false, false), ("{}\n", false, true), ("{}\n", true, false)]

  @Test(arguments: hung)
  func `the complete answer of a program that cannot end counts`(
    printed: String, needsEnd: Bool, counts: Bool
  ) async throws {
    let path = NSTemporaryDirectory() + "platen-service-" + UUID().uuidString
    try "#!/bin/bash\nprintf '%s' '\(printed)'\necho $$ >\(path).said\nsleep 90 & wait\n"
      .write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
    defer {
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(atPath: path + ".said")
    }
    let clock = ManualClock()
    let service = try LocalService(program: path, clock: clock)
    let task = Task { try await service.run(["--doctor"], needsEnd: needsEnd) }
    await clock.untilSleepers(1)
    var said = ""
    while !said.hasSuffix("\n") {
      try await Task.sleep(for: .milliseconds(5))
      said = (try? String(contentsOfFile: path + ".said", encoding: .utf8)) ?? ""
    }
    try await untilItsOutputIsRead(try #require(Int32(said.dropLast())))
    clock.advance(by: .seconds(30))
    let outcome = try? await task.value
    #expect((outcome != nil) == counts)
    if counts { #expect(outcome?.output == Array(printed.utf8) && outcome?.status == nil) }
  }

  /// Waits until the pipe into which a process prints is empty, which is when its output is kept.
  private func untilItsOutputIsRead(_ process: Int32) async throws {
    var output = pollfd(
      fd: open("/proc/\(process)/fd/1", O_RDONLY | O_NONBLOCK | O_CLOEXEC), events: Int16(POLLIN),
      revents: 0)
    try #require(output.fd >= 0)
    defer { close(output.fd) }
    for _ in 0..<1000 where poll(&output, 1, 0) > 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(output.revents == 0, "its output is not read")
  }
}
