/// Figures in the format that Prometheus reads: the text format 0.0.4.
struct MetricsText {
  /// The media type of the text.
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Adds the samples of a figure; an empty list adds nothing.
  mutating func add(_ metric: RigMetric, _ samples: [RigMetric.Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(metric.name) \(Self.escaped(metric.help, isQuoted: false))\n"
    text += "# TYPE \(metric.name) \(metric.type)\n"
    for (values, sample) in samples {
      let labels = zip(metric.labels, values).map { name, value in
        "\(name)=\"\(Self.escaped(value, isQuoted: true))\""
      }
      let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      text += "\(metric.name)\(braces) \(Self.number(sample))\n"
    }
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
