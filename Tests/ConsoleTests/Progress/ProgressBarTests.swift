import Devices
import TestSupport
import Testing

@testable import Console

/// The display of long work, and its timing.
@Suite struct ProgressBarTests {
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func bar(
    _ style: ProgressBar.Style, total: Int64? = 1000, unit: ProgressBar.Unit = .bytes,
    width: Int = 80
  ) -> ProgressBar {
    ProgressBar("copying", total: total, unit: unit, style: style, width: width, now: start)
  }

  @Test(
    arguments: [
      (
        .inPlace(bitsPerSecond: nil), 500, 10,
        "copying [##############..............]  50%  500 B of 1.0 kB  50 B/s  10 s left"
      ),
      (
        .inPlace(bitsPerSecond: nil), 0, 0,
        "copying [..............................]   0%  0 B of 1.0 kB"
      ),
      (
        .inPlace(bitsPerSecond: nil), 1000, 20,
        "copying [##############################] 100%  1.0 kB of 1.0 kB  50 B/s"
      ),
      (.lines, 250, 5, "copying  25%  250 B of 1.0 kB  50 B/s  15 s left"),
      (.lines, 2000, 5, "copying 100%  2.0 kB of 1.0 kB  400 B/s"),
    ] as [(ProgressBar.Style, Int64, Int, String)])
  func `the text shows the progress`(
    _ style: ProgressBar.Style, _ done: Int64, _ seconds: Int, _ expected: String
  ) {
    #expect(bar(style).text(done, at: start.advanced(by: .seconds(seconds))) == expected)
  }

  @Test func `without a total there is a count`() {
    let bar = bar(.inPlace(bitsPerSecond: nil), total: nil, unit: .items("parts"))
    #expect(bar.text(7, at: start.advanced(by: .seconds(3))) == "copying  7 parts")
  }

  @Test func `a total that becomes known later is shown`() {
    var bar = bar(.inPlace(bitsPerSecond: nil), total: nil, unit: .items("files"))
    #expect(bar.advance(to: 0, of: 4, at: start) == nil)
    let text = bar.advance(to: 2, at: start.advanced(by: .seconds(3)))
    #expect(text?.contains(" 50%  2 of 4 files") == true, "\(text ?? "")")
  }

  @Test(
    arguments: [
      (nil, 7, "measuring  7 s"), (nil, 75, "measuring  1 min 15 s"),
      (20, 5, "measuring [#######.......................]  25%  5 s of 20 s"),
      (20, 25, "measuring [##############################] 100%  25 s of 20 s"),
    ] as [(Int64?, Int64, String)])
  func `seconds show the elapsed time`(_ total: Int64?, _ done: Int64, _ expected: String) {
    let bar = ProgressBar(
      "measuring", total: total, unit: .seconds, style: .inPlace(bitsPerSecond: nil), now: start)
    #expect(bar.text(done, at: start.advanced(by: .seconds(done))) == expected)
  }

  @Test(arguments: [nil, 9600, 115_200] as [Int?])
  func `a slow pace is kept on a fast terminal`(_ bitsPerSecond: Int?) {
    var bar = ProgressBar(
      "shooting", total: 6000, unit: .items("pictures"),
      style: .inPlace(bitsPerSecond: bitsPerSecond), pace: .seconds(1), now: start)
    let drawn = (0...6000).compactMap {
      bar.advance(to: Int64($0), at: start.advanced(by: .milliseconds(10 * $0)))
    }
    #expect((55...60).contains(drawn.count))
  }

  @Test(arguments: [40, 60, 80, 200], [0, 1, 999_999_999_999, 2_000_000_000_000] as [Int64])
  func `the text fits and controls no terminal`(_ width: Int, _ done: Int64) {
    for style in [ProgressBar.Style.lines, .inPlace(bitsPerSecond: 9600)] {
      for total in [nil, 0, 1_000_000_000_000] as [Int64?] {
        let bar = ProgressBar(
          "a label that is long enough to be cut on a narrow terminal, as all are some day",
          total: total, unit: .bytes, style: style, width: width, now: start)
        let text = bar.text(done, at: start.advanced(by: .seconds(86_400)))
        #expect(text.count < width && PlainText.escaping(text) == text, "\(text)")
      }
    }
  }

  /// Returns the texts drawn in a minute of progress every ten milliseconds.
  private func drawn(_ style: ProgressBar.Style) -> [String] {
    var bar = bar(style, total: 6000, unit: .items("pictures"))
    return (0...6000).compactMap {
      bar.advance(to: Int64($0), at: start.advanced(by: .milliseconds(10 * $0)))
    }
  }

  @Test func `the bar is drawn a few times a second at most`() {
    #expect((200...240).contains(drawn(.inPlace(bitsPerSecond: nil)).count))
    #expect((10...12).contains(drawn(.lines).count))
    #expect(drawn(.none).isEmpty)
  }

  /// The bar uses a tenth of the line's capacity at most.
  @Test(arguments: [1200, 9600, 38_400, 115_200])
  func `the bar is never slower than the line`(_ bitsPerSecond: Int) {
    let bytes = drawn(.inPlace(bitsPerSecond: bitsPerSecond)).reduce(0) { $0 + $1.utf8.count + 1 }
    #expect(bytes * 10 <= bitsPerSecond * 60 / 10 + 800, "\(bytes) bytes in a minute")
  }

  @Test func `the same text is not drawn twice`() {
    var bar = bar(.lines, unit: .items("parts"))
    let texts = (1...4).compactMap {
      bar.advance(to: 1000, at: start.advanced(by: .seconds(10 * $0)))
    }
    #expect(texts.count == 1)
  }

  @Test func `a reporter uses its output and its clock`() {
    let clock = ManualClock()
    let output = ProgressOutput(.lines)
    let reporter = ProgressReporter(
      "copying", total: 10, unit: .items("parts"), on: output, clock: clock)
    reporter.advance(to: 1)
    clock.advance(by: .seconds(6))
    reporter.advance(to: 5)
    reporter.advance(to: 6)
    reporter.end()
    #expect(output.texts == ["copying  50%  5 of 10 parts  6 s left", nil])
  }

  @Test(arguments: [TerminalKind.dumb, .none])
  func `a terminal without overwriting gets lines`(_ kind: TerminalKind) {
    let recording = Recording()
    let line = ProgressLine(recording.descriptor, kind: kind)
    line.show("copying\u{1B} 1%")
    line.show(nil)
    line.clear()
    #expect(recording.text == "copying\\u{1B} 1%\n")
  }

  @Test func `a bar is overwritten and erased`() {
    let recording = Recording()
    let line = ProgressLine(recording.descriptor, kind: .editing)
    line.show("12345")
    line.show("123")
    line.show(nil)
    line.show(nil)
    #expect(recording.text == "\r12345\r123  \r   \r")
  }
}
