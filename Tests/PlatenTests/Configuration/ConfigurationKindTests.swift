import Devices
import Testing

@testable import Platen

struct ConfigurationKindTests {
  @Test(
    "Durations have a unit",
    arguments: [
      ("30 ms", Duration.milliseconds(30)), ("30ms", .milliseconds(30)), ("5 s", .seconds(5)),
      ("2 min", .seconds(120)), ("1 h", .seconds(3600)), ("1.5 s", .milliseconds(1500)),
      ("0 s", .zero), ("0.25 ms", .microseconds(250)), ("-1 s", .seconds(-1)), ("5", nil),
      ("5 S", nil), ("s", nil), ("", nil), ("5  s", nil), (" 5 s", nil), ("1e3 s", nil),
      ("5 s ", nil), ("1. s", nil), (".5 s", nil), ("1.2.3 s", nil), ("--1 s", nil),
      ("0x10 s", nil), ("inf s", nil), ("99999999999999 h", nil), ("٣ s", nil),
    ] as [(String, Duration?)])
  func durations(_ text: String, _ duration: Duration?) {
    #expect(ConfigurationKind<Duration>.parse(text) == duration)
  }

  @Test(
    "Bytes have a binary unit",
    arguments: [
      ("256 MiB", 268_435_456), ("1KiB", 1024), ("0 B", 0), ("1.5 GiB", 1_610_612_736),
      ("2 TiB", 2_199_023_255_552), ("256", nil), ("1 MB", nil), ("-1 B", nil),
      ("9999999999 TiB", nil), ("1 mib", nil),
    ] as [(String, UInt64?)])
  func byteCounts(_ text: String, _ count: UInt64?) {
    #expect(ConfigurationKind.byteCount.value(of: text) == count)
  }

  @Test(
    "Whole numbers are decimal",
    arguments: [
      ("0", 0), ("-5", -5), ("100", 100), ("101", nil), ("-6", nil), ("007", nil), ("0x10", nil),
      ("1_0", nil), ("+1", nil), ("1.0", nil), ("", nil), ("-", nil), ("-0", 0),
      ("99999999999999999999999", nil),
    ] as [(String, Int?)])
  func integers(_ text: String, _ number: Int?) {
    #expect(ConfigurationKind.integer(-5...100).value(of: text) == number)
  }

  @Test(
    "Sizes are two sides",
    arguments: [
      ("1920x1080", "1920x1080"), ("1x1", "1x1"), ("65500x65500", "65500x65500"), ("0x1", nil),
      ("65501x1", nil), ("1920X1080", nil), ("1920", nil), ("1x2x3", nil), ("x", nil),
      ("-1x1", nil), ("1920 x 1080", nil), ("99999999999999999999x1", nil),
    ] as [(String, String?)])
  func sizes(_ text: String, _ size: String?) {
    #expect(ConfigurationKind.frameSize.value(of: text)?.description == size)
  }

  @Test(
    "URLs are http or https and hold no secret",
    arguments: [
      ("http://localhost:8080", true), ("https://[::1]/a/b", true), ("HTTPS://h", true),
      ("https://user@h", false), ("https://user:pw@h", false), ("https://h/?q", false),
      ("https://h/#f", false), ("https://", false), ("h", false), ("https://h:0", false),
      ("https://h:65536", false), ("https://h h", false), ("file:///etc/passwd", false),
    ])
  func urls(_ text: String, _ isAllowed: Bool) {
    let file = ConfigurationSamples.least + "\nupload: {url: \"\(text)\"}\n"
    #expect(ConfigurationSamples.errors(file).isEmpty == isAllowed)
  }

  @Test("Durations are written in the largest unit that divides them")
  func words() {
    let durations: [Duration] = [
      .zero, .milliseconds(30), .milliseconds(1500), .seconds(5), .seconds(120), .seconds(7200),
    ]
    #expect(
      durations.map(ConfigurationKind<Duration>.words)
        == ["0 ms", "30 ms", "1500 ms", "5 s", "2 min", "2 h"])
  }
}
