import API
import Console
import Devices
import Foundation
import Logging
import Synchronization
import Testing
import TestSupport

/// The journal, played by a script.
@Suite(.timeLimit(.minutes(10))) struct ServiceJournalTests {
  /// A script that notes its arguments and prints the newest lines or, on `-f`, the following ones.
  private static let script = """
    echo "$*" >> "$here/said"
    case "$*" in
      *" -r") cat "$here/newest" ;;
      *" -f") cat "$here/following"; exec sleep 600 ;;
    esac
    """

  private static func line(
    _ number: Int, _ message: String, priority: Int = 6, identifier: String = "platend"
  ) -> String {
    let fields = [
      "__CURSOR": "s=1;i=\(number)",
      "__REALTIME_TIMESTAMP": "\(1_795_255_200_000_999 + number * 1000)",
      "__MONOTONIC_TIMESTAMP": "\(number)", "_BOOT_ID": "b", "PRIORITY": "\(priority)",
      "SYSLOG_IDENTIFIER": identifier, "MESSAGE": message,
    ]
    let json = (try? APICoding.encode(fields)) ?? []
    return String(decoding: json, as: UTF8.self)
  }

  /// Returns a line as the service writes it.
  private static func own(_ number: Int, _ level: String, _ label: String) -> String {
    line(number, "2026-11-21T10:00:00+0000 \(level) \(label): n=\(number) [Service] it happened")
  }

  private func journal(_ newest: [String], following: [String] = []) throws -> ScriptedProgram {
    try ScriptedProgram(
      Self.script,
      files: [
        "newest": newest.reversed().map { $0 + "\n" }.joined(),
        "following": following.map { $0 + "\n" }.joined(),
      ])
  }

  private func read(
    _ script: ScriptedProgram, _ filter: LogFilter = LogFilter()
  ) async throws -> [LogEntry] {
    var entries: [LogEntry] = []
    try await ServiceJournal(program: script.path).read(
      filter, follows: false, complain: { _ in }
    ) {
      entries.append($0)
    }
    return entries
  }

  @Test func `lines of the service and of other programs are shown`() async throws {
    let script = try journal([
      Self.line(1, "Started Platen.", identifier: "systemd"),
      Self.own(2, "warning", "platend.camera"),
      Self.line(3, "Main process exited\u{1B}[2J", priority: 3, identifier: "systemd"),
    ])
    let entries = try await read(script)
    #expect(
      entries.flatMap { $0.rendered() } == [
        "2026-11-21T10:00:00.001Z  info      systemd: Started Platen.",
        "2026-11-21T10:00:00.002Z  warning   platend.camera: it happened n=2",
        "2026-11-21T10:00:00.003Z  error     systemd: Main process exited\\u{1B}[2J",
      ])
    #expect(
      entries.map(\.id) == [1, 2, 3] && entries.map(\.timeNanoseconds) == [1000, 2000, 3000])
    #expect(
      script.text("said") == "-u platend.service -n 500 -o json "
        + "--output-fields=MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,_COMM --no-pager -q -r\n")
  }

  @Test func `lines are filtered as in the service`() async throws {
    let levels = ["info", "error", "debug", "critical", "warning", "error"]
    let script = try journal(
      levels.enumerated().map { Self.own($0.offset, $0.element, $0.offset == 1 ? "a" : "platend") })
    var filter = LogFilter(limit: 2)
    filter.level = .warning
    filter.label = "platend"
    let entries = try await read(script, filter)
    #expect(entries.map { $0.metadata["n"] } == ["4", "5"], "the newest two of three")
    #expect(script.text("said").contains(" -n 5000 "), "others do not use up the room")
  }

  @Test func `new lines are followed without gaps until canceled`() async throws {
    let early = (1...3).map { Self.own($0, "info", "platend") }
    let script = try journal(
      early,
      following: early + [Self.own(4, "info", "platend"), Self.own(5, "debug", "platend")]
        + ["nonsense", Self.own(6, "info", "platend")])
    var filter = LogFilter(limit: 2)
    filter.level = .info
    let (shown, sink) = AsyncStream.makeStream(of: LogEntry.self)
    let reading = Task { [filter] in
      defer { sink.finish() }
      try await ServiceJournal(program: script.path).read(
        filter, follows: true, complain: { _ in }
      ) { entry in
        sink.yield(entry)
      }
    }
    var numbers: [String?] = []
    for await entry in shown {
      numbers.append(entry.metadata["n"])
      if numbers.count == 4 { break }
    }
    #expect(numbers == ["2", "3", "4", "6"])
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    let said = script.text("said").split(separator: "\n")
    #expect(said.count == 2 && said.last?.hasSuffix(" -q -f") == true)
  }

  @Test func `a journal that ends or is unreadable is reported`() async throws {
    let refused = try ScriptedProgram("echo 'No journal files were opened.' >&2; exit 1")
    let error = await #expect(throws: LocalProgram.Failure.self) { try await read(refused) }
    #expect(error?.description.contains("No journal files were opened.") == true)
    let nothing = await #expect(throws: LocalProgram.Failure.self) { try await read(journal([])) }
    #expect(nothing?.description.contains("systemd-journal") == true)
    let absent = await #expect(throws: LocalProgram.Failure.self) {
      try await ServiceJournal(program: "/nonexistent/journalctl").read(
        LogFilter(), follows: true, complain: { _ in }
      ) { _ in }
    }
    #expect(absent?.description.contains("There is no program") == true)
    let ending = try ScriptedProgram("[[ $* == *-r ]] || echo no JSON")
    let complaints = Mutex<[String]>([])
    let ended = await #expect(throws: LocalProgram.Failure.self) {
      try await ServiceJournal(program: ending.path).read(
        LogFilter(), follows: true, complain: { text in complaints.withLock { $0.append(text) } }
      ) { _ in }
    }
    #expect(ended?.description.contains("has ended") == true)
    #expect(complaints.withLock { $0.count } == 1, "nothing was there yet")
  }

  /// journalctl prints bytes for unprintable text, and null for text that is too long.
  @Test(
    arguments: [
      (#""MESSAGE":[104,105,27,255]"#, "hi\\u{1B}\u{FFFD}", "info"),
      (#""MESSAGE":["a","b"],"PRIORITY":"4""#, "a b", "warning"),
      (#""MESSAGE":null,"PRIORITY":"2""#, "(a text that is too long)", "critical"),
      (#""MESSAGE":"x","PRIORITY":"9""#, "x", "info"),
      (#""MESSAGE":"x","__REALTIME_TIMESTAMP":"y","PRIORITY":"7""#, "x", "debug"),
    ] as [(fields: String, message: String, level: String)])
  func `a message that is not plain text is shown`(
    _ line: (fields: String, message: String, level: String)
  ) async throws {
    let script = try journal(["{\(line.fields),\"_COMM\":\"sd-a\"}"])
    let entries = try await read(script)
    #expect(entries.first?.rendered().first?.hasSuffix("sd-a: \(line.message)") == true)
    #expect(entries.map(\.level) == [line.level])
  }
}
