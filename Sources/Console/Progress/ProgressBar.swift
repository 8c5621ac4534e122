package import Devices

/// The progress of something lengthy and its display: a value without its own clock.
///
/// A terminal that can return within its line shows a bar. The bar is redrawn a few times a second
/// at most and takes at most a tenth of the line's capacity. Elsewhere a line appears every few
/// seconds, if at all. If the total is unknown, the display shows the amount done so far. The text
/// contains no control characters.
package struct ProgressBar: Sendable {
  /// The form of the display.
  package enum Style: Sendable, Hashable {
    /// The display is off because no person watches.
    case none
    /// The display is a line from time to time.
    case lines
    /// The display is one line that is overwritten.
    ///
    /// The speed is that of the terminal's line in bits a second; `nil` without a speed.
    case inPlace(bitsPerSecond: Int?)
  }

  /// The unit of the count.
  package enum Unit: Sendable, Hashable {
    /// Bytes.
    case bytes
    /// The items, with their name.
    case items(String)
    /// The seconds that have passed, if there is no other measure.
    case seconds
  }

  /// The time between two lines.
  static let lineInterval = Duration.seconds(5)
  /// The time between two drawings of a bar on a fast terminal.
  package static let drawInterval = Duration.milliseconds(250)

  private let label: String
  private var total: Int64?
  private let unit: Unit
  private let width: Int
  private let style: Style
  private let pace: Duration
  private let began: MonotonicInstant
  private var next: MonotonicInstant
  private var shown = ""

  /// Creates the progress of something that begins now.
  ///
  /// - Parameters:
  ///   - label: the name of the work in a few words.
  ///   - total: the total amount; `nil` if unknown.
  ///   - width: the width in columns, 40 or more.
  ///   - pace: the least time between two drawings of a bar.
  package init(
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
    // Short work ends before its progress would be of interest.
    next = now.advanced(by: style == .lines ? Self.lineInterval : pace)
  }

  /// The time between two drawings.
  var interval: Duration {
    switch style {
    case .none, .lines: return Self.lineInterval
    case .inPlace(let bits):
      guard let bits, bits > 0 else { return pace }
      // A byte takes ten bits, and the bar takes a tenth of the line.
      return max(pace, .milliseconds(Int64(width) * 100 * 1000 / Int64(bits)))
    }
  }

  /// Notes the amount done.
  ///
  /// - Parameter newTotal: the total amount as it is known now; `nil` if nothing new is known.
  /// - Returns: the text to show now; `nil` for nothing.
  package mutating func advance(
    to done: Int64, of newTotal: Int64? = nil, at now: MonotonicInstant
  ) -> String? {
    total = newTotal ?? total
    guard style != .none, now >= next else { return nil }
    let text = text(done, at: now)
    next = now.advanced(by: interval)
    guard text != shown else { return nil }
    shown = text
    return text
  }

  /// Returns the text of the bar or the line.
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
