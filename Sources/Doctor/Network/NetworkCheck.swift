import API

/// The check of the network: a carrier, an address, a default route, and name servers.
///
/// If the configuration does not need the network, a missing part is only a warning.
struct NetworkCheck: DoctorCheck {
  let part = DoctorPart.network
  /// The kernel's and the resolver's files.
  let network: NetworkFiles
  /// Whether the rig is configured to use the network.
  let isNeeded: Bool
  /// Asks a name server.
  let ask: @Sendable (String) async -> NameServerProbe.Answer

  func findings() async -> [DoctorReport.Finding] {
    let outside = network.interfaces.filter { !$0.isLoopback }
    let defaultRoutes = network.defaultRoutes
    guard !outside.isEmpty else {
      return [missing(.noCarrier, "there is no network interface")]
    }
    guard let way = wayOut(outside, defaultRoutes) else { return await servers(defaultRoutes) }
    return [way]
  }

  /// Returns the first missing part of the connection; the others are its consequences.
  private func wayOut(
    _ outside: [NetworkReport.Interface], _ defaultRoutes: [NetworkReport.DefaultRoute]
  ) -> Finding? {
    let names = outside.map { "\($0.name) (\($0.state))" }.joined(separator: ", ")
    let connected = outside.filter { $0.hasCarrier == true }
    if connected.isEmpty { return missing(.noCarrier, "no interface has a carrier: \(names)") }
    let usable = connected.filter { interface in
      // A self-assigned address leads nowhere.
      interface.addresses.contains { !$0.hasPrefix("fe80") && !$0.hasPrefix("169.254.") }
    }
    if usable.isEmpty {
      let names = connected.map(\.name).joined(separator: ", ")
      return missing(.noAddress, "no interface with a carrier has an address: \(names)")
    }
    if defaultRoutes.isEmpty {
      let list = usable.map { "\($0.name) \($0.addresses.joined(separator: " "))" }
      return missing(.noDefaultRoute, "there is no default route; \(list.joined(separator: ", "))")
    }
    return nil
  }

  /// Returns the finding of a missing part.
  private func missing(_ code: DoctorCode, _ seen: String) -> Finding {
    isNeeded
      ? fault(code, seen)
      : warning(code, "\(seen); no target and no \"api.tcp\" of this rig needs it")
  }

  private func servers(_ defaultRoutes: [NetworkReport.DefaultRoute]) async -> [Finding] {
    let routes = defaultRoutes.map { "\($0.gateway ?? "the link") by \($0.interface)" }
    let way = ok("the way out is \(routes.joined(separator: ", "))")
    let servers = network.nameServers
    guard !servers.isEmpty else {
      return [way, missing(.noNameServer, "no name server is configured")]
    }
    let answers = await inOrder(servers) { [ask] server in
      (address: server.address, answer: await ask(server.address))
    }
    let isAnyGood = answers.contains { $0.answer.problem == nil }
    return [way]
      + answers.map { server in
        guard let problem = server.answer.problem else {
          let time = server.answer.milliseconds.map { "\(Int($0.rounded(.up))) ms" } ?? "time"
          return ok("answers in \(time)", of: server.address)
        }
        let isFault = isNeeded && !isAnyGood
        return finding(isFault ? .fault : .warning, .nameServerSilent, problem, server.address)
      }
  }
}
