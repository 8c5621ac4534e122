package import API

/// A rig's network connections and its clock as lines for a terminal.
package struct NetworkView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns interfaces, routes, name servers and targets, each with separate lines.
  package func lines(_ report: NetworkReport) -> [String] {
    let clock =
      report.isClockSynchronized
      ? "synchronized" : "not synchronized: certificates may seem invalid"
    let known =
      lines("interfaces", report.interfaces.map(Self.text))
      + lines(
        "default route",
        report.defaultRoutes.map(Self.text))
      + (report.otherRoutes.isEmpty
        ? [] : lines("other routes", report.otherRoutes.map(Self.text)))
      + lines("name servers", report.nameServers.map(Self.text))
      + lines("targets", report.targets.map(Self.text)) + lines("clock", [clock])
    guard let problem = report.problem else { return known }
    return lines("problem", [problem]) + known
  }

  /// Returns the wall clock with its trust, then the machine's own clocks.
  package func lines(_ report: TimeReport) -> [String] {
    var trust = report.trust
    if !report.isPlausible { trust += ", but the year cannot be" }
    if let source = report.source { trust += ", set by \(source)" }
    let error = report.maximumErrorMilliseconds.map {
      [
        "wrong by \(Figures.decimal($0, 3, unit: "ms")) at most, "
          + "\(Figures.decimal(report.offsetMilliseconds, 3, unit: "ms")) to correct"
      ]
    }
    let dated =
      switch report.isBootDated {
      case true?: "have their time"
      case false?: "get their time when the clock is synchronized"
      case nil: "-"
      }
    return lines("time", [report.time, trust] + (error ?? []))
      + lines(
        "machine",
        [
          "up \(Figures.span(seconds: report.machineUptimeSeconds ?? -1))",
          "monotonic \(report.monotonicNanoseconds) ns", "boot \(report.bootID ?? "-")",
        ])
      + lines("pictures", ["those of this boot \(dated)"])
  }

  static func text(_ route: NetworkReport.DefaultRoute) -> String {
    "\(route.family) \(route.gateway ?? "link") by \(route.interface)"
  }

  static func text(_ route: NetworkReport.Route) -> String {
    let gateway = route.gateway.map { " over \($0)" } ?? ""
    return "\(route.destination)\(gateway) by \(route.interface)"
  }

  static func text(_ interface: NetworkReport.Interface) -> String {
    let carrier =
      switch interface.hasCarrier {
      case true?: "carrier"
      case false?: "no carrier"
      case nil: "switched off"
      }
    let addresses = interface.addresses.isEmpty ? ["no address"] : interface.addresses
    return "\(interface.name): \(interface.state), \(carrier), "
      + addresses.joined(separator: " ")
  }

  static func text(_ server: NetworkReport.NameServer) -> String {
    let answer = server.answerMilliseconds.map {
      "answers in \(Figures.decimal($0, 0, unit: "ms"))"
    }
    return "\(server.address): \(server.problem ?? answer ?? "no answer") (\(server.source))"
  }

  static func text(_ report: TargetProbeReport) -> String {
    var words = ["\(report.target): \(report.endpoint)"]
    if !report.addresses.isEmpty { words.append(report.addresses.joined(separator: " ")) }
    if let time = report.connectMilliseconds {
      words.append("connects in \(Figures.decimal(time, 0, unit: "ms"))")
    }
    if report.isSecured == true { words.append("secured") }
    if let step = report.failedStep {
      words.append("fails at \(step.rawValue): \(report.problem ?? "no answer")")
    } else if let problem = report.problem {
      words.append("TLS not tried: \(problem)")
    }
    return words.joined(separator: ", ")
  }

  private func lines(_ label: String, _ texts: [String]) -> [String] {
    PlainText.labeled(label, texts.isEmpty ? ["none"] : texts, indent: 14, to: width)
  }
}
