/// How the rig is connected: the answer to `GET /v1/network`.
public struct NetworkReport: Sendable, Hashable, Codable {
  /// A network interface.
  public struct Interface: Sendable, Hashable, Codable {
    /// Its name, for example `eth0`.
    public let name: String
    /// The kernel's word for its state, for example `up`.
    public let state: String
    /// Whether a cable or a radio link is there; `nil` when the interface is switched off.
    public let hasCarrier: Bool?
    /// Its addresses.
    public let addresses: [String]
    /// Whether it leads to this machine only.
    public let isLoopback: Bool

    /// Makes an interface.
    public init(
      name: String, state: String, hasCarrier: Bool?, addresses: [String], isLoopback: Bool
    ) {
      self.name = name
      self.state = state
      self.hasCarrier = hasCarrier
      self.addresses = addresses
      self.isLoopback = isLoopback
    }
  }

  /// A way to everywhere.
  public struct DefaultRoute: Sendable, Hashable, Codable {
    /// `IPv4` or `IPv6`.
    public let family: String
    /// The router's address; `nil` for a link without one.
    public let gateway: String?
    /// The interface.
    public let interface: String

    /// Makes a route.
    public init(family: String, gateway: String?, interface: String) {
      self.family = family
      self.gateway = gateway
      self.interface = interface
    }
  }

  /// A way to a part of the network.
  public struct Route: Sendable, Hashable, Codable {
    /// `IPv4` or `IPv6`.
    public let family: String
    /// Where to: an address and the length of its prefix in bits, for example `192.168.1.0/24`.
    public let destination: String
    /// The router's address; `nil` for what is on the link.
    public let gateway: String?
    /// The interface.
    public let interface: String

    /// Makes a route.
    public init(family: String, destination: String, gateway: String?, interface: String) {
      self.family = family
      self.destination = destination
      self.gateway = gateway
      self.interface = interface
    }
  }

  /// A server that is asked for names.
  public struct NameServer: Sendable, Hashable, Codable {
    /// Its address.
    public let address: String
    /// The file that names it.
    public let source: String
    /// How long it took to answer, in milliseconds; `nil` when it did not.
    public let answerMilliseconds: Double?
    /// Why there was no answer, or none that helps; `nil` when there was.
    public let problem: String?

    /// Makes a name server.
    public init(
      address: String, source: String, answerMilliseconds: Double?, problem: String?
    ) {
      self.address = address
      self.source = source
      self.answerMilliseconds = finite(answerMilliseconds)
      self.problem = problem
    }
  }

  /// The interfaces, in the order of their names.
  public let interfaces: [Interface]
  /// The default routes; empty for none.
  public let defaultRoutes: [DefaultRoute]
  /// The first 64 of the other routes that lead out of the machine, without IPv6's link-local ones.
  public let otherRoutes: [Route]
  /// The name servers, in the order in which they are asked.
  public let nameServers: [NameServer]
  /// How far each target can be reached, in the order of the configuration.
  public let targets: [TargetProbeReport]
  /// Whether the kernel's clock is synchronised, without which certificates may seem invalid.
  public let isClockSynchronised: Bool
  /// Why interfaces, routes and name servers are not known; `nil` when they are.
  public let problem: String?

  /// Makes a report.
  public init(
    interfaces: [Interface], defaultRoutes: [DefaultRoute], otherRoutes: [Route] = [],
    nameServers: [NameServer], targets: [TargetProbeReport], isClockSynchronised: Bool,
    problem: String? = nil
  ) {
    self.interfaces = interfaces
    self.defaultRoutes = defaultRoutes
    self.otherRoutes = otherRoutes
    self.nameServers = nameServers
    self.targets = targets
    self.isClockSynchronised = isClockSynchronised
    self.problem = problem
  }
}

/// How far the way to a target leads, without its credentials.
public struct TargetProbeReport: Sendable, Hashable, Codable {
  /// A step of the way.
  public enum Step: String, Sendable, Hashable, Codable {
    /// Finding the host's addresses.
    case resolve
    /// Connecting to one of them.
    case connect
    /// Securing the connection.
    case tls
  }

  /// The target's name.
  public let target: String
  /// Host and port.
  public let endpoint: String
  /// The host's addresses.
  public let addresses: [String]
  /// How long the connection took, in milliseconds; `nil` when there is none.
  public let connectMilliseconds: Double?
  /// Whether the connection could be secured; `nil` without TLS or without a connection.
  public let isSecured: Bool?
  /// The step that failed; `nil` when none did.
  public let failedStep: Step?
  /// Why, or why TLS was not tried when no step failed; `nil` when all went well.
  public let problem: String?

  /// Makes a report.
  public init(
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
