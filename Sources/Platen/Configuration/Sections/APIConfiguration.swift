/// Where the service can be asked: the section `api`.
///
/// | key | value | default |
/// |---|---|---|
/// | `socket` | the Unix socket's absolute path, at most 107 bytes | `/run/platen/platend.sock` |
/// | `socket_group` | the group that may use the socket besides the owner | the service's own |
public struct APIConfiguration: Sendable, Hashable {
  /// The Unix socket's absolute path.
  public var socket: String
  /// The group that may use the socket; `nil` for the service's own.
  public var socketGroup: String?

  init(reading mapping: ConfigurationMapping) {
    // sockaddr_un has room for 107 bytes and a NUL (unix(7)).
    socket = mapping.read(
      "socket", as: .absolutePath("an absolute path of at most 107 bytes", longest: 107),
      default: "/run/platen/platend.sock")
    socketGroup = mapping.read("socket_group", as: .identifier("a group's name"))
  }
}
