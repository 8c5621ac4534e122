import Devices
import Foundation
import TestSupport
import Testing

@testable import Console

/// Programs whose lines are read one by one.
@Suite(.timeLimit(.minutes(10))) struct LocalProgramLinesTests {
  @Test func `all lines come and then none`() async throws {
    var lines: [String] = []
    for try await line in LocalProgram("/bin/bash", ["-c", "echo one; printf two"]).lines() {
      lines.append(line)
    }
    #expect(lines == ["one", "two"])
  }

  /// A child still has the program's output, as with a program that waits for a dead disk.
  @Test func `a canceled reader does not wait for the program's end`() async throws {
    let program = LocalProgram(
      "/bin/bash", ["-c", "setsid sleep 90 & echo $!; wait"], timeout: nil)
    let (shown, continuation) = AsyncStream.makeStream(of: String.self)
    let reader = Task {
      for try await line in program.lines() { continuation.yield(line) }
    }
    let line = await shown.first { _ in true }
    let number = try #require(line.flatMap { pid_t($0) })
    defer { kill(number, SIGKILL) }
    reader.cancel()
    try await reader.value
  }

  /// The program's thread waits for room then.
  @Test func `a program that writes for ever ends with its reader`() async throws {
    var number: pid_t?
    for try await line in LocalProgram("/bin/bash", ["-c", "echo $$; exec yes"], timeout: nil)
      .lines()
    {
      if number != nil { break }
      number = pid_t(line)
    }
    let ended = try #require(number)
    try await eventually { kill(ended, 0) == -1 }
  }

  @Test func `a missing program is an error of its lines`() async {
    await #expect(throws: LocalProgram.Failure.self) {
      for try await _ in LocalProgram("/nonexistent", []).lines() {}
    }
  }
}
