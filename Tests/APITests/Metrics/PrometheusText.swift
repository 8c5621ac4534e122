import Testing

/// A strict reader of the text format 0.0.4, written from its grammar and not from the writer.
struct PrometheusText {
  struct Sample: Hashable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  /// The reason for which a text is invalid; lines count from 1.
  struct Fault: Error, Hashable {
    let line: Int
    let problem: String
  }

  private(set) var samples: [Sample] = []
  private(set) var types: [String: String] = [:]
  private var helps: [String: String] = [:]

  init(_ text: String) throws(Fault) {
    guard text.last == "\n" || text.isEmpty else {
      throw Fault(line: 0, problem: "the last line has no end")
    }
    var current: String?
    var closed: Set<String> = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .enumerated()
    {
      var cursor = Cursor(Array(line.unicodeScalars), line: index + 1)
      if cursor.take("# HELP ") {
        let name = try cursor.name(allowsColon: true)
        try cursor.expect(" ")
        // All figures of a name stand together, after its two comments.
        guard helps[name] == nil, !closed.contains(name) else { throw cursor.fault("second HELP") }
        if let current { closed.insert(current) }
        current = name
        helps[name] = try cursor.escapedRest()
      } else if cursor.take("# TYPE ") {
        let name = try cursor.name(allowsColon: true)
        try cursor.expect(" ")
        let type = cursor.rest()
        guard name == current, types[name] == nil, ["counter", "gauge"].contains(type) else {
          throw cursor.fault("TYPE out of place or unknown")
        }
        types[name] = type
      } else {
        let sample = try cursor.sample()
        guard sample.name == current, types[sample.name] != nil else {
          throw cursor.fault("a figure outside of its name's")
        }
        let isRepeated = samples.contains { $0.name == sample.name && $0.labels == sample.labels }
        guard !isRepeated else { throw cursor.fault("the same figure twice") }
        samples.append(sample)
      }
    }
  }

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  /// A place in a line.
  private struct Cursor {
    private let scalars: [Unicode.Scalar]
    private let line: Int
    private var place = 0

    init(_ scalars: [Unicode.Scalar], line: Int) {
      self.scalars = scalars
      self.line = line
    }

    func fault(_ problem: String) -> Fault { Fault(line: line, problem: problem) }

    mutating func take(_ text: String) -> Bool {
      let wanted = Array(text.unicodeScalars)
      guard scalars[place...].starts(with: wanted) else { return false }
      place += wanted.count
      return true
    }

    mutating func expect(_ text: String) throws(Fault) {
      guard take(text) else { throw fault("expected \"\(text)\" at column \(place + 1)") }
    }

    mutating func rest() -> String {
      defer { place = scalars.count }
      return String(String.UnicodeScalarView(scalars[place...]))
    }

    /// Reads a name, `[a-zA-Z_:][a-zA-Z0-9_:]*`; a label's name has no colon.
    mutating func name(allowsColon: Bool) throws(Fault) -> String {
      let start = place
      while place < scalars.count {
        let scalar = scalars[place]
        let isLetter =
          ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
          || allowsColon && scalar == ":"
        let isDigit = ("0"..."9").contains(scalar)
        guard isLetter || isDigit && place > start else { break }
        place += 1
      }
      guard place > start else { throw fault("expected a name at column \(start + 1)") }
      return String(String.UnicodeScalarView(scalars[start..<place]))
    }

    mutating func escapedRest() throws(Fault) -> String {
      var text = ""
      while place < scalars.count { text.unicodeScalars.append(try scalar(isQuoted: false)) }
      return text
    }

    private mutating func scalar(isQuoted: Bool) throws(Fault) -> Unicode.Scalar {
      guard scalars[place] == "\\" else {
        defer { place += 1 }
        return scalars[place]
      }
      place += 2
      guard place <= scalars.count else { throw fault("an escape without its character") }
      switch scalars[place - 1] {
      case "\\": return "\\"
      case "n": return "\n"
      case "\"" where isQuoted: return "\""
      default: throw fault("an unknown escape")
      }
    }

    mutating func sample() throws(Fault) -> Sample {
      let name = try name(allowsColon: true)
      var labels: [String: String] = [:]
      if take("{") {
        while true {
          let label = try self.name(allowsColon: false)
          try expect("=\"")
          var value = ""
          while place < scalars.count, scalars[place] != "\"" {
            value.unicodeScalars.append(try scalar(isQuoted: true))
          }
          try expect("\"")
          guard labels.updateValue(value, forKey: label) == nil else {
            throw fault("the label \(label) twice")
          }
          if take("}") { break }
          try expect(",")
        }
      }
      try expect(" ")
      let text = rest()
      let special = ["NaN": Double.nan, "+Inf": .infinity, "-Inf": -.infinity]
      guard let value = special[text] ?? Double(text), !text.isEmpty else {
        throw fault("\"\(text)\" is no number")
      }
      return Sample(name: name, labels: labels, value: value)
    }
  }
}
