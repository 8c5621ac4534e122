package import API

/// The reason why a rig did not carry out an API request.
package enum RigClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The service does not listen on the socket; the system or the network library gives the cause.
  case unreachable(socketPath: String, cause: String)
  /// The caller may not write to the socket.
  case forbidden(socketPath: String)
  /// The connection broke, or no data arrived for too long.
  case interrupted(socketPath: String, cause: String)
  /// The service answered with an error.
  case refused(APIError)
  /// The answer does not belong to this API.
  case incomprehensible(String)

  /// A description of the problem and its remedy in one or two sentences.
  package var description: String {
    switch self {
    case .unreachable(let path, let cause):
      "The service does not answer on \"\(path)\": \(cause). "
        + "Start it with \"platenctl service restart\"."
    case .forbidden(let path):
      "You may not use the service's socket \"\(path)\": permission denied. "
        + "Let an administrator add this account to the socket's group, \"api.socket_group\" in "
        + "the configuration."
    case .interrupted(let path, let cause):
      "The connection over \"\(path)\" broke: \(cause). Whether the service still runs says "
        + "\"platenctl service status\"."
    case .refused(let error):
      error.message
    case .incomprehensible(let problem):
      "The service's answer cannot be understood: \(problem) "
        + "Are platenctl and platend of the same version?"
    }
  }
}
