/// Figures in the format that Prometheus reads: the text format 0.0.4.
struct MetricsText {
  /// The behavior of a figure over time.
  enum Kind: String {
    /// The figure only grows while the service runs.
    case counter
    /// The figure rises and falls.
    case gauge
  }

  /// A figure of a family.
  struct Sample {
    let labels: [(name: String, value: String)]
    let value: Double

    init(_ labels: [(name: String, value: String)] = [], _ value: Double) {
      self.labels = labels
      self.value = value
    }

    init(_ labels: [(name: String, value: String)] = [], _ count: some BinaryInteger) {
      self.init(labels, Double(count))
    }
  }

  /// The media type of the text.
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Adds the figures of one name; an empty list adds nothing.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(Self.escaped(help, isQuoted: false))\n"
    text += "# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, isQuoted: true))\"" }
      let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      text += "\(name)\(braces) \(Self.number(sample.value))\n"
    }
  }

  /// Adds one figure without labels; `nil` adds nothing.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
    add(name, kind, help, value.map { [Sample([], $0)] } ?? [])
  }

  /// Adds a figure for each possible state: 1 for the current one, 0 for the others.
  mutating func addStates(
    _ name: String, _ help: String, _ states: [String], of current: String
  ) {
    let all = states.contains(current) ? states : states + [current]
    add(name, .gauge, help, all.map { Sample([("state", $0)], $0 == current ? 1 : 0) })
  }

  private static func escaped(_ text: String, isQuoted: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where isQuoted: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    // Counts are exact up to this limit and read better without a fraction.
    return value == value.rounded() && abs(value) < 9e15 ? "\(Int64(value))" : "\(value)"
  }
}
