import Devices

@testable import Capture

/// The drawing of the lights: a time line for each row of the table, with its meaning.
///
/// Time lines are drawn in milliseconds and scaled, so that their figures are the patterns'.
enum LightsDrawing {
  private typealias Entry = IndicatorLanguage.Entry

  private static let table = IndicatorLanguage.table
  /// The drawn time: the period of the longest pattern.
  private static let time = table.map(\.pattern.period).max() ?? .zero
  private static let millisecondsPerPixel = 20
  private static let width = 1020
  /// The left edge of the time lines.
  private static let start = 56
  /// The left edge of the meanings.
  private static let words = 492

  private static let style = """
    <style>
      text { font: 13px sans-serif; fill: #1f2328 } .strong { font-weight: bold }
      .second { font-size: 11px; text-anchor: middle } .line { stroke: #b8bec6 }
      .ground { fill: #ffffff; stroke: #b8bec6 } path { fill: #33383f }
      .ready { fill: #3fb950 } .fault { fill: #f85149 } .upload { fill: #58a6ff }
      .power { fill: #ffffff } .single { fill: #f0b72f }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .ground { fill: #0d1117; stroke: #444c56 } .line { stroke: #444c56 }
      }
    </style>
    """

  /// The drawing as SVG.
  static var svg: String {
    var y = 46
    var shapes: [String] = []
    let lights: [IndicatorRole?] = [nil] + IndicatorRole.allCases.map(Optional.some)
    for light in lights {
      shapes += group(table.filter { $0.light == light }, at: &y)
    }
    let height = y + 14
    let code = IndicatorLanguage.otherCode
    let legend = [
      "Bright is lit, dark gray is dark. A code and a warning start again at their end.",
      "The single light shows all those of the fault light; \(code) and 1 stand for them.",
    ]
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="title description">
      <!-- board/docs draws this from the table of the lights. -->
      <title id="title">The lights of a rig as time lines</title>
      <desc id="description">The page of the lights has the same rows as a table.</desc>
      \(style)
      <rect class="ground" x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8"/>
      \(text(12, 24, legend[0]))
      \(text(12, 42, legend[1]))
      \(shapes.joined(separator: "\n"))
      </svg>
      """
  }

  /// Draws the rows of a light and their scale, and moves `y` below them.
  private static func group(_ entries: [Entry], at y: inout Int) -> [String] {
    let name = text(12, y + 24, entries.first?.lightName ?? "", "strong")
    y += 44
    let top = y
    var rows: [String] = []
    for entry in entries {
      rows += row(entry, at: y)
      y += entry.code == nil ? 38 : 22
    }
    let seconds = (0...Int(time / .seconds(1))).map { second in
      let x = start + second * 1000 / millisecondsPerPixel
      return text(x, top - 4, "\(second) s", "second")
        + "<path class=\"line\" d=\"M\(x) \(top)V\(y)\"/>"
    }
    return [name] + seconds + rows
  }

  private static func row(_ entry: Entry, at y: Int) -> [String] {
    let length = milliseconds(drawnTime(of: entry))
    let flashes = flashes(of: entry.pattern, until: length)
    let light = entry.light ?? .single
    let edge = millisecondsPerPixel  // so that a lit bar stands out from a white ground
    let line = """
      <g transform="translate(\(start) \(y + 5)) scale(\(1 / Double(millisecondsPerPixel)) 1)">\
      <path d="M-\(edge) -1h\(length + 2 * edge)v14h-\(length + 2 * edge)z"/>\
      <path class="\(light.rawValue)" d="\(flashes)"/></g>
      """
    guard let code = entry.code else {
      return [
        line, text(words, y + 15, entry.shown, "strong"), text(words, y + 31, entry.meaning),
      ]
    }
    return [text(12, y + 15, "\(code)", "strong"), line, text(words, y + 15, entry.meaning)]
  }

  /// Returns a code's period, or the time for which another pattern is drawn.
  private static func drawnTime(of entry: Entry) -> Duration {
    if entry.code != nil || PageWarning(rawValue: entry.state) != nil {
      return entry.pattern.period
    }
    return entry.pattern == IndicatorLanguage.refused ? IndicatorLanguage.refusalTime : time
  }

  /// Returns the lit times of a repeated pattern as rectangles of a path.
  private static func flashes(of pattern: IndicatorPattern, until end: Int) -> String {
    var path = ""
    var x = 0
    while x < end {
      for step in pattern.steps where x < end {
        let length = pattern.period == .zero ? end : min(milliseconds(step.duration), end - x)
        if step.level > 0 { path += "M\(x) 0h\(length)v12h-\(length)z" }
        x += length
      }
    }
    return path
  }

  private static func milliseconds(_ time: Duration) -> Int { Int(time.inMilliseconds) }

  private static func text(_ x: Int, _ y: Int, _ words: String, _ style: String = "") -> String {
    let kind = style.isEmpty ? "" : " class=\"\(style)\""
    let escaped = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "<text\(kind) x=\"\(x)\" y=\"\(y)\">\(escaped)</text>"
  }
}

extension IndicatorLanguage.Entry {
  /// The name of the light with its color.
  var lightName: String { light.map { "\($0.rawValue) (\(color))" } ?? color }
}
