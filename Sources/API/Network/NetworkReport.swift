/// The rig's network: the answer to `GET /v1/network`.
package struct NetworkReport: Sendable, Hashable, Codable {
  /// A network interface.
  package struct Interface: Sendable, Hashable, Codable {
    /// The interface's name, for example `eth0`.
    package let name: String
    /// The kernel's word for the interface's state, for example `up`.
    package let state: String
    /// Whether a cable or a radio link is there; `nil` when the interface is down.
    package let hasCarrier: Bool?
    /// The interface's addresses.
    package let addresses: [String]
    /// Whether the interface leads to this machine only.
    package let isLoopback: Bool

    package init(
      name: String, state: String, hasCarrier: Bool?, addresses: [String], isLoopback: Bool
    ) {
      self.name = name
      self.state = state
      self.hasCarrier = hasCarrier
      self.addresses = addresses
      self.isLoopback = isLoopback
    }
  }

  /// A default route.
  package struct DefaultRoute: Sendable, Hashable, Codable {
    /// The address family: `IPv4` or `IPv6`.
    package let family: String
    /// The router's address; `nil` for a link without one.
    package let gateway: String?
    /// The name of the interface.
    package let interface: String

    package init(family: String, gateway: String?, interface: String) {
      self.family = family
      self.gateway = gateway
      self.interface = interface
    }
  }

  /// A route to a part of the network.
  package struct Route: Sendable, Hashable, Codable {
    /// The address family: `IPv4` or `IPv6`.
    package let family: String
    /// An address and the length of its prefix in bits, for example `192.168.1.0/24`.
    package let destination: String
    /// The router's address; `nil` for a destination on the link.
    package let gateway: String?
    /// The name of the interface.
    package let interface: String

    package init(family: String, destination: String, gateway: String?, interface: String) {
      self.family = family
      self.destination = destination
      self.gateway = gateway
      self.interface = interface
    }
  }

  /// A server that resolves names.
  package struct NameServer: Sendable, Hashable, Codable {
    /// The server's address.
    package let address: String
    /// The file that names the server.
    package let source: String
    /// The time that the answer took, in milliseconds; `nil` without an answer.
    package let answerMilliseconds: Double?
    /// The reason why there was no useful answer; `nil` when there was one.
    package let problem: String?

    package init(
      address: String, source: String, answerMilliseconds: Double?, problem: String?
    ) {
      self.address = address
      self.source = source
      self.answerMilliseconds = finite(answerMilliseconds)
      self.problem = problem
    }
  }

  /// The interfaces, in the order of their names.
  package let interfaces: [Interface]
  /// The default routes; empty for none.
  package let defaultRoutes: [DefaultRoute]
  /// The first 64 other routes that lead out of the machine, without IPv6's link-local routes.
  package let otherRoutes: [Route]
  /// The name servers, in the order in which they are asked.
  package let nameServers: [NameServer]
  /// The reachability of each target, in the order of the configuration.
  package let targets: [TargetProbeReport]
  /// Whether the kernel's clock is synchronized; otherwise certificates may seem invalid.
  package let isClockSynchronized: Bool
  /// The reason why interfaces, routes and name servers are unknown; `nil` when they are known.
  package let problem: String?

  package init(
    interfaces: [Interface], defaultRoutes: [DefaultRoute], otherRoutes: [Route] = [],
    nameServers: [NameServer], targets: [TargetProbeReport], isClockSynchronized: Bool,
    problem: String? = nil
  ) {
    self.interfaces = interfaces
    self.defaultRoutes = defaultRoutes
    self.otherRoutes = otherRoutes
    self.nameServers = nameServers
    self.targets = targets
    self.isClockSynchronized = isClockSynchronized
    self.problem = problem
  }
}

/// The reachability of a target, tested without its credentials.
package struct TargetProbeReport: Sendable, Hashable, Codable {
  /// A step of the connection.
  package enum Step: String, Sendable, Hashable, Codable {
    /// Finding the host's addresses.
    case resolve
    /// Connecting to one of the addresses.
    case connect
    /// Securing the connection.
    case tls
  }

  /// The target's name.
  package let target: String
  /// The host and the port.
  package let endpoint: String
  /// The host's addresses.
  package let addresses: [String]
  /// The time that the connection took, in milliseconds; `nil` without a connection.
  package let connectMilliseconds: Double?
  /// Whether the connection could be secured; `nil` without TLS or without a connection.
  package let isSecured: Bool?
  /// The step that failed; `nil` when none did.
  package let failedStep: Step?
  /// The cause of the failure; `nil` when all went well.
  ///
  /// When no step failed, the text says why TLS was not tried.
  package let problem: String?

  package init(
    target: String, endpoint: String, addresses: [String] = [],
    connectMilliseconds: Double? = nil, isSecured: Bool? = nil, failedStep: Step? = nil,
    problem: String? = nil
  ) {
    self.target = target
    self.endpoint = endpoint
    self.addresses = addresses
    self.connectMilliseconds = finite(connectMilliseconds)
    self.isSecured = isSecured
    self.failedStep = failedStep
    self.problem = problem
  }
}
