import Console
import Logging
import Testing
import TestSupport

@testable import API

extension ServerTests {
  /// The service's log over the API, and `platenctl log`.
  @Suite struct LogRoutesTests {
    @Test func `lines are listed and filtered`() async throws {
      let log = FakeLog()
      log.add(.info, "platend", "started")
      log.add(.error, "platend.camera", "stalled", ["camera.id": "cam0"])
      log.add(.info, "platend", "going on")
      try await withServer(FakeRig(), log: log) { server in
        let all = try await server.client.call(Operations.log, LogFilter())
        #expect(all.entries.map(\.id) == [3, 2, 1] && !all.run.isEmpty)
        var filter = LogFilter(limit: 2000)
        filter.level = .warning
        filter.label = "platend.camera"
        filter.after = 1
        let one = try await server.client.call(Operations.log, filter)
        #expect(one.entries.map(\.message) == ["stalled"])
        #expect(one.entries.first?.metadata == ["camera.id": "cam0"])
      }
    }

    @Test(arguments: [
      "level=loud", "level=", "label=", "after=-1", "after=x", "limit=0", "limit=2001", "x=1",
    ])
    func `a bad query is refused`(_ query: String) async throws {
      let statuses = try await withServer(FakeRig()) { server in
        let list = try await CurlAnswer.get("/v1/log?\(query)", on: server)
        let stream = try await CurlAnswer.get("/v1/log/events?\(query)", on: server)
        return [list.status, stream.status]
      }
      #expect(statuses == [400, 400])
    }

    private func collect(
      _ count: Int, _ stream: AsyncThrowingStream<LogEventItem, any Error>,
      whenListening act: () -> Void = {}
    ) async throws -> [LogEventItem] {
      var result: [LogEventItem] = []
      for try await item in stream {
        if item == .listening { act() } else { result.append(item) }
        if result.count == count { break }
      }
      return result
    }

    private func numbers(_ items: [LogEventItem]) -> [UInt64] {
      items.compactMap { if case .event(let entry, _) = $0 { entry.id } else { nil } }
    }

    @Test func `lines are followed and resumed`() async throws {
      let log = FakeLog()
      log.add(.info, "platend", "before")
      try await withServer(FakeRig(), log: log) { server in
        let run = try await server.client.call(Operations.log, LogFilter()).run
        let first = try await collect(1, server.client.logEvents(LogFilter(), after: "\(run)-0")) {
          for number in 2...4 { log.add(.info, "platend", "line \(number)") }
        }
        #expect(numbers(first) == [1])
        guard case .event(_, let id)? = first.last else {
          Issue.record("the last item is no line")
          return
        }
        #expect(id == "\(run)-1")
        let rest = try await collect(3, server.client.logEvents(LogFilter(), after: id))
        #expect(numbers(rest) == [2, 3, 4], "no gap, and no notice of one")
        let all = try await collect(5, server.client.logEvents(LogFilter(), after: "other-7"))
        #expect(all.first == .missed(MissedEvents(count: nil)) && numbers(all) == [1, 2, 3, 4])
      }
    }

    /// Lines that a filter excludes are not missed.
    @Test func `a filter leaves no gaps`() async throws {
      let log = FakeLog()
      var filter = LogFilter()
      filter.level = .error
      filter.label = "b"
      let items = try await withServer(FakeRig(), log: log) { server in
        try await collect(2, server.client.logEvents(filter)) {
          for number in 1...30 {
            log.add(number % 10 == 0 ? .error : .info, number == 10 ? "a" : "b", "\(number)")
          }
        }
      }
      #expect(numbers(items) == [20, 30] && items.count == 2)
    }

    @Test func `platenctl shows lines oldest first`() async throws {
      let log = FakeLog()
      log.add(.info, "platend", "started", ["version": "1.0"])
      log.add(.error, "platend", "name\u{1B}[2J", ["a\n": "b\u{7}\n", "z": "ü"])
      try await withServer(FakeRig(), log: log) { server in
        let tool = try await Tool.platenctl(["log"], socket: server.socketPath)
        #expect(
          tool.output == """
            2026-11-21T10:00:00.001Z  info      platend: started version=1.0
            2026-11-21T10:00:00.002Z  error     platend: name\\u{1B}[2J a\\n=b\\u{7}\\n z=ü

            """)
        let json = try await Tool.platenctl(
          ["log", "--json", "--level", "warning"], socket: server.socketPath)
        let entry = try APICoding.decode(LogEntry.self, from: json.output.utf8)
        #expect(entry.id == 2 && json.output.split(separator: "\n").count == 1)
        let none = try await Tool.platenctl(
          ["log", "--label", "nobody"], socket: server.socketPath)
        #expect(none.exitCode == 0 && none.output.isEmpty)
      }
    }

    @Test func `platenctl follows until the service stops`() async throws {
      let log = FakeLog()
      for number in 1...3 { log.add(.info, "platend", "early \(number)") }
      let tool = try await withServer(FakeRig(), log: log) { server in
        async let tool = Tool.platenctl(
          ["log", "--follow", "--limit", "2", "--level", "info"], socket: server.socketPath)
        // The command lists once it listens, so it receives all later lines.
        for await _ in log.asked { break }
        log.add(.debug, "platend", "left out")
        log.add(.info, "platend", "late")
        for try await item in server.client.logEvents(LogFilter(), after: "none-0") {
          if case .event(let entry, _) = item, entry.id == 5 { break }
        }
        await server.stop()
        return try await tool
      }
      #expect(tool.exitCode == 69)
      let lines = tool.output.split(separator: "\n").map { $0.suffix(7) }
      #expect(lines == ["early 2", "early 3", "d: late"])
    }

    @Test(arguments: [
      ["log", "--limit", "0"], ["log", "--level", "loud"], ["log", "--label", ""],
    ])
    func `a wrong command line of platenctl is a usage error`(_ arguments: [String]) async throws {
      let tool = try await Tool.platenctl(arguments, socket: "/unused")
      #expect(tool.exitCode == 64)
    }
  }
}
