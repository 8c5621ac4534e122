public import Devices

/// How far something long is, and what to show of it when: a value, without a clock of its own.
///
/// On a terminal that can go back in its line it is a bar, drawn again a few times a second at most
/// and never more than a tenth of what the line carries; elsewhere a line every few seconds, if at
/// all. Where nobody knows how much there is it says what is done so far. There are no control
/// characters in it.
public struct ProgressBar: Sendable {
  /// How progress can be shown.
  public enum Style: Sendable, Hashable {
    /// Not at all: nobody looks.
    case none
    /// As a line now and then.
    case lines
    /// As one line that is written over; how many bits the terminal's line carries a second, `nil`
    /// for one that is no line.
    case inPlace(bitsPerSecond: Int?)
  }

  /// What is counted.
  public enum Unit: Sendable, Hashable {
    /// Bytes.
    case bytes
    /// Things, with the word for them.
    case items(String)
    /// Seconds that have passed, where nothing else can be told.
    case seconds
  }

  /// The time between two lines.
  static let lineInterval = Duration.seconds(5)
  /// The time between two drawings of a bar on a fast terminal.
  public static let drawInterval = Duration.milliseconds(250)

  private let label: String
  private let total: Int64?
  private let unit: Unit
  private let width: Int
  private let style: Style
  private let pace: Duration
  private let began: MonotonicInstant
  private var next: MonotonicInstant
  private var shown = ""

  /// Makes the progress of something that begins now.
  ///
  /// - Parameters:
  ///   - label: what is being done, in a few words.
  ///   - total: how much there is; `nil` when nobody knows.
  ///   - width: the width in columns, 40 or more.
  ///   - pace: the time between two drawings of a bar at least.
  public init(
    _ label: String, total: Int64?, unit: Unit, style: Style, width: Int = 80,
    pace: Duration = ProgressBar.drawInterval, now: MonotonicInstant
  ) {
    self.label = label
    self.total = total.map { max(0, $0) }
    self.unit = unit
    self.style = style
    self.width = max(40, width)
    self.pace = pace
    began = now
    // Something short is over before anybody wonders.
    next = now.advanced(by: style == .lines ? Self.lineInterval : pace)
  }

  /// The time between two drawings.
  var interval: Duration {
    switch style {
    case .none, .lines: return Self.lineInterval
    case .inPlace(let bits):
      guard let bits, bits > 0 else { return pace }
      // Ten bits a byte; a tenth of the line.
      return max(pace, .milliseconds(Int64(width) * 100 * 1000 / Int64(bits)))
    }
  }

  /// Notes how much is done.
  ///
  /// - Returns: what is to be shown now; `nil` for nothing.
  public mutating func advance(to done: Int64, at now: MonotonicInstant) -> String? {
    guard style != .none, now >= next else { return nil }
    let text = text(done, at: now)
    next = now.advanced(by: interval)
    guard text != shown else { return nil }
    shown = text
    return text
  }

  /// The bar or the line as it would be shown.
  func text(_ done: Int64, at now: MonotonicInstant) -> String {
    let seconds = began.duration(to: now).inMilliseconds / 1000
    let rate = seconds > 0 ? Double(done) / seconds : 0
    var words = [counted(done)]
    if case .bytes = unit, seconds >= 1 { words.append(Figures.bytes(Int64(rate)) + "/s") }
    guard let total, total > 0 else {
      return PlainText.truncating("\(label)  \(words.joined(separator: "  "))", to: width - 1)
    }
    let share = min(1, max(0, Double(done) / Double(total)))
    if share > 0, share < 1, seconds >= 1, unit != .seconds {
      words.append("\(Figures.span(seconds: seconds / share - seconds)) left")
    }
    let percent = "\(Int(share * 100))%"
    let figures =
      String(repeating: " ", count: 4 - percent.count) + percent + "  "
      + words.joined(separator: "  ")
    guard case .inPlace = style else {
      return PlainText.truncating("\(label) \(figures)", to: width - 1)
    }
    let name = PlainText.truncating(label, to: width / 3)
    let room = width - 1 - PlainText.columns(name) - figures.count - 4
    guard room >= 8 else { return PlainText.truncating("\(name) \(figures)", to: width - 1) }
    let size = min(30, room)
    let filled = Int(share * Double(size))
    return "\(name) [" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: size - filled) + "] \(figures)"
  }

  private func span(_ seconds: Int64) -> String { Figures.span(seconds: Double(seconds)) }

  private func counted(_ done: Int64) -> String {
    switch unit {
    case .bytes:
      total.map { "\(Figures.bytes(done)) of \(Figures.bytes($0))" } ?? Figures.bytes(done)
    case .items(let word): total.map { "\(done) of \($0) \(word)" } ?? "\(done) \(word)"
    case .seconds: total.map { "\(span(done)) of \(span($0))" } ?? span(done)
    }
  }
}
