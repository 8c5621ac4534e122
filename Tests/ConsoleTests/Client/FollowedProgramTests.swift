import Foundation
import Testing

@testable import Console

/// Programs whose lines are read one by one.
@Suite(.timeLimit(.minutes(10))) struct FollowedProgramTests {
  @Test func `all lines come and then none`() async throws {
    let program = try FollowedProgram("/bin/bash", ["-c", "echo one; printf two"])
    var lines: [String] = []
    while let line = await program.next() { lines.append(line) }
    #expect(lines == ["one", "two"])
    let after = await program.next()
    #expect(after == nil)
  }

  /// A child still has the program's output, as with a program that waits for a dead disk.
  @Test func `a cancelled reader does not wait for the program's end`() async throws {
    let program = try FollowedProgram("/bin/bash", ["-c", "sleep 90 & echo $!; wait"])
    let line = await program.next()
    let number = try #require(line.flatMap { pid_t($0) })
    defer { kill(number, SIGKILL) }
    let waiting = Task { await program.next() }
    waiting.cancel()
    let next = await waiting.value
    let after = await program.next()
    #expect(next == nil && after == nil)
  }
}
