package import API

/// The view of the network connections: interfaces, routes, name servers and targets.
extension NetworkReport: Presentable {
  package var blocks: [TextBlock] {
    var parts: [(String, [String])] = []
    if let problem { parts.append(("problem", [problem])) }
    parts.append(("interfaces", interfaces.map(\.text)))
    parts.append(("default route", defaultRoutes.map(\.text)))
    if !otherRoutes.isEmpty { parts.append(("other routes", otherRoutes.map(\.text))) }
    parts.append(("name servers", nameServers.map(\.text)))
    parts.append(("targets", targets.map(\.text)))
    let clock = "not synchronized: certificates may seem invalid"
    parts.append(("clock", [isClockSynchronized ? "synchronized" : clock]))
    return parts.map { TextBlock.labeled($0, $1.isEmpty ? ["none"] : $1, indent: 14) }
  }
}

/// The view of the wall clock with its trust, then of the machine's own clocks.
extension TimeReport: Presentable {
  package var blocks: [TextBlock] {
    var trust = self.trust.rawValue
    if !isPlausible { trust += ", but the year cannot be" }
    if let source { trust += ", set by \(source)" }
    let error = maximumErrorMilliseconds.map {
      "wrong by \(Figures.decimal($0, 3, unit: "ms")) at most, "
        + "\(Figures.decimal(offsetMilliseconds, 3, unit: "ms")) to correct"
    }
    let dated =
      switch isBootDated {
      case true?: "have their time"
      case false?: "get their time when the clock is synchronized"
      case nil: "-"
      }
    let machine = [
      "up \(Figures.span(seconds: machineUptimeSeconds ?? -1))",
      "monotonic \(monotonicNanoseconds) ns", "boot \(bootID ?? "-")",
    ]
    return [
      .labeled("time", [time, trust, error].compactMap { $0 }, indent: 14),
      .labeled("machine", machine, indent: 14),
      .labeled("pictures", ["those of this boot \(dated)"], indent: 14),
    ]
  }
}

extension NetworkReport.DefaultRoute {
  /// The route in words.
  var text: String { "\(family) \(gateway ?? "link") by \(interface)" }
}

extension NetworkReport.Route {
  /// The route in words.
  var text: String { "\(destination)\(gateway.map { " over \($0)" } ?? "") by \(interface)" }
}

extension NetworkReport.Interface {
  /// The interface in words.
  var text: String {
    let carrier =
      switch hasCarrier {
      case true?: "carrier"
      case false?: "no carrier"
      case nil: "switched off"
      }
    let addresses = self.addresses.isEmpty ? "no address" : self.addresses.joined(separator: " ")
    return "\(name): \(state), \(carrier), \(addresses)"
  }
}

extension NetworkReport.NameServer {
  /// The server in words.
  var text: String {
    let answer = answerMilliseconds.map { "answers in \(Figures.decimal($0, 0, unit: "ms"))" }
    return "\(address): \(problem ?? answer ?? "no answer") (\(source))"
  }
}

extension TargetProbeReport {
  /// The target in words.
  var text: String {
    var words = ["\(target): \(endpoint)"]
    if !addresses.isEmpty { words.append(addresses.joined(separator: " ")) }
    if let time = connectMilliseconds {
      words.append("connects in \(Figures.decimal(time, 0, unit: "ms"))")
    }
    if isSecured == true { words.append("secured") }
    if let step = failedStep {
      words.append("fails at \(step.rawValue): \(problem ?? "no answer")")
    } else if let problem {
      words.append("TLS not tried: \(problem)")
    }
    return words.joined(separator: ", ")
  }
}
