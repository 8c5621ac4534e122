import API
import Upload

/// The use of the network, as the configuration says.
extension PlatenConfiguration {
  /// The address of the API outside this machine, in plain HTTP; `nil` for none.
  package var openAddress: String? {
    api.server.network.map(\.address)
      .flatMap { IPAddress($0)?.isLoopback == true ? nil : $0 }
  }

  /// Whether a target or the API is reached over the network.
  ///
  /// A server on this machine counts too, because the service behind it, such as a tunnel, is
  /// seldom local.
  package var usesNetwork: Bool {
    openAddress != nil || targets.contains { $0.destination.place.url != nil }
  }
}
