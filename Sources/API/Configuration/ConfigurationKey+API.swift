/// The keys of the API.
extension ConfigurationKey {
  static let ofAPI: [ConfigurationKey] = [
    .init("api", "section", "how the service is talked to"),
    .init(
      "api.socket", "path", "at most 107 bytes", default: "/run/platen/platend.sock",
      "the API's Unix socket"),
    .init("api.socket_group", "text", "the group that may use the socket; the service is in it"),
    .init("api.read", "section", default: "whoever can open the socket", "who may look"),
    .init("api.read.users", "list", "names of users", default: "none", "users who may look"),
    .init("api.read.groups", "list", "names of groups", default: "none", "groups that may look"),
    .init("api.act", "section", default: "whoever may look", "who may look and act"),
    .init("api.act.users", "list", "names of users", default: "none", "users who may act"),
    .init("api.act.groups", "list", "names of groups", default: "none", "groups that may act"),
    .init(
      "api.rate", "number", "above 0, up to 1000 a second", default: "50",
      "how many requests each user may make; twice as many at once"),
    .init(
      "api.listeners", "whole number", "1 to 1000", default: "32",
      "how many may receive events at a time"),
    .init("api.tcp", "section", default: "nothing listens", "the API over the network"),
    .init("api.tcp.address", "text", default: "127.0.0.1", "the address to listen at"),
    .init(
      "api.tcp.network", "word", "trusted", default: "not trusted: loopback addresses only",
      "whether others on the network may read along"),
    .init("api.tcp.port", "whole number", "1 to 65535", default: "8443", "the port"),
    .init(
      "api.tcp.hosts", "list", default: "the address, unless that is a wildcard",
      "the names by which clients call the rig, without the port"),
    .init(
      "api.tcp.origins", "list", default: "none",
      "the origins of pages that may call, by a proxy before the rig"),
    .init("api.tcp.tokens", "section", default: "none", "who is known by a token"),
    .init("api.tcp.tokens.NAME", "section", "a name is 1 to 64 characters", "somebody"),
    .init(
      "api.tcp.tokens.NAME.hash", "text", "what platenctl token prints", "the token's hash"),
    .init("api.tcp.tokens.NAME.allow", "word", "read, act", "what it lets in for"),
  ]
}
