import Foundation
import Testing

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct TerminalLineTests {
  /// Makes both ends of a pipe for a while.
  private func withPipe(
    _ body: (_ reader: Int32, _ writer: FileHandle) async throws -> Void
  ) async throws {
    let pipe = Pipe()
    try await body(pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting)
  }

  @Test func `the text after the line stays unread`() async throws {
    try await withPipe { reader, writer in
      try writer.write(contentsOf: Data("yes\nstatus\n".utf8))
      let first = await TerminalLine(reader).read(within: .seconds(60))
      let second = await TerminalLine(reader).read(within: .seconds(60))
      #expect(first == .line("yes") && second == .line("status"))
    }
  }

  @Test func `input typed before the question is no answer`() async throws {
    let terminal = try PseudoTerminal(rows: 24)
    let line = TerminalLine(terminal.descriptor)
    terminal.type("yes\n")
    terminal.untilReadable()
    line.dropTyped()
    terminal.type("no\n")
    let answer = await line.read(within: .seconds(60))
    #expect(answer == .line("no"))
    // Input from a pipe was meant as the answer.
    try await withPipe { reader, writer in
      try writer.write(contentsOf: Data("yes\n".utf8))
      TerminalLine(reader).dropTyped()
      let piped = await TerminalLine(reader).read(within: .seconds(60))
      #expect(piped == .line("yes"))
    }
  }

  @Test func `the end of the input is no answer`() async throws {
    try await withPipe { reader, writer in
      try writer.write(contentsOf: Data("ye".utf8))
      try writer.close()
      let answer = await TerminalLine(reader).read(within: .seconds(60))
      #expect(answer == .unanswered)
    }
  }

  @Test func `an answer is not waited for for ever`() async throws {
    try await withPipe { reader, writer in
      let answer = await TerminalLine(reader).read(within: .zero)
      #expect(answer == .timedOut)
      // Later input is for the next reader.
      try writer.write(contentsOf: Data("late\n".utf8))
      let next = await TerminalLine(reader).read(within: .seconds(60))
      #expect(next == .line("late"))
    }
  }

  @Test func `the end of the command ends the question`() async throws {
    try await withPipe { reader, writer in
      let reading = Task { await TerminalLine(reader).read(within: .seconds(600)) }
      reading.cancel()
      let answer = await reading.value
      #expect(answer == .unanswered)
      withExtendedLifetime(writer) {}
    }
  }

  @Test func `an endless line is cut and not kept`() async throws {
    try await withPipe { reader, writer in
      try writer.write(contentsOf: Data((String(repeating: "x", count: 9000) + "\n").utf8))
      let answer = await TerminalLine(reader).read(within: .seconds(60))
      #expect(answer == .line(String(repeating: "x", count: 4096)))
    }
  }
}
