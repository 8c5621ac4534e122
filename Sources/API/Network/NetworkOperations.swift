extension Operations {
  /// An examination of the network connections.
  package static let network = Endpoint<NoInput, NetworkReport>(
    "network", .get, "/v1/network", .read,
    "Examines addresses, routes, name servers and targets, which takes some seconds; repeats the "
      + "same answer for two seconds.")

  /// The state of the clock.
  package static let time = Endpoint<NoInput, TimeReport>(
    "time", .get, "/v1/time", .read, "Returns the clock's state and trust.")
}
