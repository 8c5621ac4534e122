import API
import Synchronization
import Testing

@testable import Console

/// The questions of a setup, with answers that were written before.
@Suite struct SetupInterviewTests {
  /// An output whose person has the answers ready, and types secrets at a terminal.
  private final class Person: CommandOutput, LentTerminal {
    let wantsJSON = false
    let width = 80
    let output: Int32 = -1
    private let answers: Mutex<[String]>
    private let shown = Mutex<[String]>([])

    init(_ answers: [String]) { self.answers = Mutex(answers) }

    var terminal: (any LentTerminal)? { self }
    var lines: [String] { shown.withLock { $0 } }

    func show(_ lines: [String]) { shown.withLock { $0 += lines } }
    func complain(_ message: String, code: String) {}

    func ask(_ question: String, within limit: Duration) async -> CommandAnswer {
      show([question])
      return next().map { .line($0) } ?? .unanswered
    }

    func lend(
      to receive: @escaping @Sendable ([UInt8]) -> Void, _ body: @Sendable () async -> Void
    ) async {
      receive(next().map { Array($0.utf8) + [0x0D] } ?? [0x03])
      await body()
    }

    private func next() -> String? {
      answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  @Test func `the answers make a setup file`() async throws {
    let person = Person([
      "", "yes", "webdav", "office", "https://pages.example/", "rig", "under the platen", "",
    ])
    let answers = try await SetupInterview(person).answers(
      rig: "rig-1", camera: CameraReport(id: "/base/imx708@1a", model: "imx708"))
    #expect(
      answers.document == """
        rig:
          id: "rig-1"
        camera:
          id: "/base/imx708@1a"
          position:
        targets:
          office:
            kind: "webdav"
            password: "under the platen"
            url: "https://pages.example/"
            user: "rig"

        """)
    #expect(!person.lines.joined().contains("under the platen"))
  }

  @Test func `a question that is not needed is left out`() async throws {
    let person = Person(["scanner-7", "put", "", "https://pages.example/", "", "Europe/Paris"])
    let answers = try await SetupInterview(person).answers(rig: nil, camera: nil)
    #expect(answers.target?.name == "put" && answers.target?.values.count == 1)
    #expect(answers.rig == "scanner-7" && answers.timeZone == "Europe/Paris")
    #expect(!person.lines.joined().contains("Password"))
  }

  @Test func `a wrong word is asked again and silence ends the questions`() async throws {
    let person = Person(["rig-1", "ftp", "none", ""])
    let answers = try await SetupInterview(person).answers(rig: nil, camera: nil)
    #expect(answers.target == nil && person.lines.contains { $0.contains("not \"ftp\"") })
    let error = await #expect(throws: SetupInterview.Unanswered.self) {
      try await SetupInterview(Person([])).answers(rig: nil, camera: nil)
    }
    #expect(error?.description == "Nobody answered \"Name of the rig:\".")
  }
}

/// A line that is typed without echo.
@Suite struct SecretLineTests {
  private func answer(_ text: String) -> CommandAnswer? {
    var line = SecretLine()
    return line.take(Array(text.utf8))
  }

  @Test func `a line ends with Return and can be corrected`() {
    #expect(answer("secret") == nil)
    #expect(answer("secret\r") == .line("secret"))
    #expect(answer("secrex\u{7F}\u{8}et\n") == .line("secret"))
    #expect(answer("old\u{15}new\r") == .line("new"))
    #expect(answer("né\u{7F}e\r") == .line("ne"))
    #expect(answer("\u{7F}\r") == .line(""))
  }

  @Test func `a line comes in pieces`() {
    var line = SecretLine()
    #expect(line.take(Array("sec".utf8)) == nil)
    #expect(line.take(Array("ret\r".utf8)) == .line("secret"))
  }

  @Test func `a key for an end gives no answer`() {
    #expect(answer("secret\u{3}") == .unanswered)
    #expect(answer("\u{4}") == .unanswered)
    var line = SecretLine()
    #expect(line.take([0xC3, 0x0D]) == .unanswered)
  }
}
