import Devices
import Foundation
import TestSupport
import Testing

/// Programs that end, and one whose output goes on after it is killed.
///
/// The latter behaves like a program that waits for a dead disk and cannot be killed.
@Suite(.timeLimit(.minutes(10))) struct LocalProgramTests {
  private static let stuck = ["-c", "echo begun; setsid sleep 90 & wait"]

  @Test func `a program's whole output and its status are returned`() async throws {
    let outcome = try await LocalProgram(
      "/bin/bash", ["-c", "cat; echo \"$NAME\"; echo oops >&2; exit 3"],
      environment: ["NAME": "value"], input: Array("input ".utf8)
    ).run()
    #expect(outcome.end == .complete && outcome.status == 3)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "input value\n")
    #expect(outcome.complaint == "oops\n" && outcome.firstComplaint == "oops")
  }

  @Test func `a program that a signal ends has the status of a shell`() async throws {
    let outcome = try await LocalProgram("/bin/bash", ["-c", "kill -TERM $$"]).run()
    #expect(outcome.end == .complete && outcome.status == 128 + SIGTERM)
  }

  /// A pipe holds far less than this input.
  @Test func `a program gets its whole input`() async throws {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
    let outcome = try await LocalProgram("/bin/cat", [], input: input).run()
    #expect(outcome.end == .complete && outcome.status == 0 && outcome.output == input)
    let deaf = try await LocalProgram("/bin/true", [], input: input).run()
    #expect(deaf.end == .complete && deaf.status == 0)
  }

  @Test func `the caller goes on after the timeout`() async throws {
    let clock = ManualClock()
    let program = LocalProgram("/bin/bash", Self.stuck, timeout: .seconds(30), clock: clock)
    async let outcome = program.run()
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(30))
    let result = try await outcome
    #expect(result.end == .late && result.status == 128 + SIGKILL)
  }

  @Test func `the caller goes on when canceled`() async throws {
    let task = Task { try await LocalProgram("/bin/bash", Self.stuck).run() }
    task.cancel()
    let result = try await task.value
    #expect(result.end == .canceled)
  }

  /// The pipe is at its end when the child, which has it too, has ended.
  @Test func `a program is killed with its children`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    let program = LocalProgram(
      "/bin/bash", ["-c", "sleep 3600 & echo begun; wait"], passing: [1: ends[1]], timeout: nil)
    let task = Task { try await program.run() }
    var bytes = [UInt8](repeating: 0, count: 100)
    try await eventually { read(ends[0], &bytes, 100) >= 0 }
    close(ends[1])
    task.cancel()
    let outcome = try await task.value
    #expect(outcome.end == .canceled)
    try await eventually { read(ends[0], &bytes, 100) >= 0 }
    #expect(read(ends[0], &bytes, 100) == 0)
  }

  @Test func `output that outlives its program is read for a limited time`() async throws {
    let clock = ManualClock()
    let program = LocalProgram(
      "/bin/bash", ["-c", "setsid sleep 3600 & echo $!; exit 3"], timeout: nil, clock: clock)
    async let outcome = program.run()
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(60))
    let result = try await outcome
    #expect(result.end == .complete && result.status == 3)
    kill(try process(named: result.output), SIGKILL)
  }

  @Test func `output of a program that is cut off is closed at once`() async throws {
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let task = Task {
      try await LocalProgram(
        "/bin/bash", ["-c", "setsid bash -c 'echo $$; exec sleep 3600' & wait"], timeout: nil
      ).run { continuation.yield($0) }
    }
    let process = try process(named: await pieces.first { _ in true } ?? [])
    let output = try target(ofLink: "/proc/\(process)/fd/1")
    task.cancel()
    #expect(try await task.value.end == .canceled)
    try await eventually {
      let ours = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return !ours.contains { (try? target(ofLink: "/proc/self/fd/\($0)")) == output }
    }
    kill(process, SIGKILL)
  }

  private func process(named output: [UInt8]) throws -> pid_t {
    let text = String(decoding: output, as: UTF8.self)
    return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  private func target(ofLink path: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  @Test func `a program inherits no ignored signal but that of its terminal`() async throws {
    for number in [SIGTTOU, SIGTTIN] { signal(number, SIG_IGN) }
    let outcome = try await LocalProgram("/bin/grep", ["SigIgn:", "/proc/self/status"]).run()
    let text = String(decoding: outcome.output, as: UTF8.self)
    let ignored = try #require(
      text.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) })
    func ignores(_ number: Int32) -> Bool { ignored >> UInt64(number - 1) & 1 == 1 }
    #expect(ignores(SIGTTOU) && !ignores(SIGTTIN))
  }

  @Test func `too much output is cut off`() async throws {
    let outcome = try await LocalProgram("/usr/bin/yes", [], maximumBytes: 100_000).run()
    #expect(outcome.end == .tooMuch && outcome.isCutOff && outcome.output.count == 100_000)
    let loud = try await LocalProgram(
      "/bin/bash", ["-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo out; exit 3"]
    ).run()
    #expect(loud.status == 3 && loud.output == Array("out\n".utf8) && loud.complaint.count == 4096)
  }

  @Test func `many programs leave no descriptors behind`() async throws {
    func count() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
    func run() async throws {
      for input in [[], Array("said".utf8)] {
        let outcome = try await LocalProgram("/bin/cat", [], input: input).run()
        #expect(outcome.output == input)
      }
    }
    try await run()
    let before = count()
    for _ in 0..<40 { try await run() }
    // A thread may still be ending.
    try await eventually { count() <= before + 10 }
  }

  @Test func `a program gets the descriptors that are passed and no others`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let outcome = try await LocalProgram(
      "/bin/bash", ["-c", "cd /proc/$$/fd; echo [0-9]*"], passing: [1: ends[1]]
    ).run()
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(ends[0], &bytes, bytes.count)
    close(ends[0])
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    #expect(text.hasPrefix("0 1 2") && !text.contains(" \(ends[0]) "))
    #expect(outcome.status == 0 && outcome.output.isEmpty)
  }

  /// The program's standard output takes the number of the descriptor that is passed.
  @Test func `a passed descriptor arrives although its number is replaced`() async throws {
    let outcome = try await LocalProgram(
      "/bin/bash", ["-c", "readlink /proc/$$/fd/2"], passing: [2: 1]
    ).run()
    let ours = try target(ofLink: "/proc/self/fd/1")
    #expect(String(decoding: outcome.output, as: UTF8.self) == ours + "\n")
  }

  @Test func `a missing program is an error`() async {
    let missing = await #expect(throws: LocalProgram.Failure.self) {
      _ = try await LocalProgram("/nonexistent", []).run()
    }
    #expect(missing?.description == "There is no program \"/nonexistent\" on this machine.")
    let folder = await #expect(throws: LocalProgram.Failure.self) {
      _ = try await LocalProgram("/tmp", []).run()
    }
    #expect(folder?.description == "\"/tmp\" cannot be started: Permission denied.")
  }
}
