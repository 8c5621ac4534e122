import Logging
import Synchronization
import Testing

@testable import Console

/// The service's lines in the journal, as swift-log itself writes them.
@Suite struct ServiceLogLineTests {
  /// A stream that keeps the output of a handler.
  private final class Written: TextOutputStream, Sendable {
    private let text = Mutex("")

    func write(_ string: String) { text.withLock { $0 += string } }

    /// The lines, the first one first.
    var lines: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }
  }

  private func logged(_ label: String, _ log: (Logger) -> Void) -> [ServiceLogLine?] {
    let written = Written()
    let logger = Logger(label: label) { StreamLogHandler(label: $0, stream: written) }
    log(logger)
    return written.lines.map { ServiceLogLine($0) }
  }

  @Test func `a line is read as it was logged`() {
    let lines = logged("platend.upload") { logger in
      logger.notice("starting")
      logger.error(
        "an upload waits",
        metadata: [
          "target": "archive", "error.cause": "no [route] a=b  x", "items": ["a", "b c"],
          "item.id": "rig-7-000042", "empty": "",
        ])
    }
    #expect(lines.compactMap { $0?.level } == ["notice", "error"])
    #expect(lines.compactMap { $0?.label } == ["platend.upload", "platend.upload"])
    #expect(lines.compactMap { $0?.message } == ["starting", "an upload waits"])
    let metadata: [[String: String]] = [
      [:],
      [
        "empty": "", "error.cause": "no [route] a=b  x", "item.id": "rig-7-000042",
        "items": "[\"a\", \"b c\"]", "target": "archive",
      ],
    ]
    #expect(lines.compactMap { $0?.metadata } == metadata)
  }

  @Test(arguments: [
    "", "Started platend.service.", "2026-11-21T10:00:00+0000 loud platend: [Service] x",
    "2026-11-21T10:00:00+0000 info platend", "2026-11-21T10:00:00+0000 info platend: x",
    "2026-11-21 10:00:00+0000x info platend: [Service] x",
    "2026-11-21T10:00:00+0000 info platend: no pairs [Service] x",
    "2026-11-21T10:00:00+0000 info platend:[Service] x",
    "[12:00:00.000] [123] INFO Camera camera_manager.cpp:325 libcamera v0.4.0",
  ])
  func `a line in another form is not read`(_ text: String) {
    #expect(ServiceLogLine(text) == nil)
  }
}
