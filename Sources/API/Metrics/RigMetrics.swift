/// A rig's figures for Prometheus.
///
/// Names begin with `platen_` and end with the unit, if any, a base unit each: seconds, bytes,
/// degrees Celsius. An unknown value has no figure. Labels hold only names from the configuration
/// or the code, so that their number is bounded.
struct RigMetrics: Sendable {
  /// The server's own counts.
  struct Counters: Sendable {
    var answersByClass: [Int: Int] = [:]
    var listeners = 0
    var maximumListeners = 0
    var droppedEvents: UInt64 = 0
  }

  let status: RigStatus
  let counters: Counters

  /// The figures in the text format 0.0.4.
  var text: String {
    var metrics = MetricsText()
    for metric in RigMetric.all { metrics.add(metric, metric.samples(self)) }
    return metrics.text
  }
}

/// A figure's declaration, from which the text and the reference page are made.
struct RigMetric: Sendable {
  /// The values of the labels, and the figure's value.
  typealias Sample = ([String], Double)

  let name: String
  let help: String
  let labels: [String]
  let samples: @Sendable (RigMetrics) -> [Sample]

  /// The type in Prometheus: totals only grow while the service runs, and others rise and fall.
  var type: String { name.hasSuffix("_total") ? "counter" : "gauge" }

  init(
    _ name: String, _ help: String, _ labels: [String],
    _ samples: @escaping @Sendable (RigMetrics) -> [Sample]
  ) {
    self.name = name
    self.help = help
    self.labels = labels
    self.samples = samples
  }

  /// Declares a figure without labels; its value is `nil` while it is unknown.
  init(
    _ name: String, _ help: String, _ value: @escaping @Sendable (RigMetrics) -> Double?
  ) {
    self.init(name, help, []) { rig in value(rig).map { [([], $0)] } ?? [] }
  }

  /// Declares a figure for each possible state: 1 for the current one, 0 for the others.
  init<State: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ help: String, states: State.Type,
    _ current: @escaping @Sendable (RigMetrics) -> Word<State>
  ) {
    let states = State.allCases.map(\.rawValue)
    self.init(name, help, ["state"]) { rig in
      let current = current(rig).rawValue
      let all = states.contains(current) ? states : states + [current]
      return all.map { ([$0], $0 == current ? 1 : 0) }
    }
  }

  /// Declares a count of each target.
  init(target name: String, _ help: String, _ count: @escaping @Sendable (TargetReport) -> Int) {
    self.init("platen_target_\(name)_total", help, ["target"]) { rig in
      rig.status.targets.map { ([$0.name], Double(count($0))) }
    }
  }
}
