public import API

/// Why a rig did not do what it was asked over the API.
public enum RigClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nobody answers on the socket; the cause is the system's or the network library's.
  case unreachable(socketPath: String, cause: String)
  /// The caller may not write to the socket.
  case forbidden(socketPath: String)
  /// The connection broke, or nothing came for too long.
  case interrupted(socketPath: String, cause: String)
  /// The service answered with an error.
  case refused(APIError)
  /// The answer is not one of this API.
  case incomprehensible(String)

  /// One or two sentences: what is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .unreachable(let path, let cause):
      "The service does not answer on \"\(path)\": \(cause). "
        + "Start it with \"platenctl service restart\"."
    case .forbidden(let path):
      "You may not use the service's socket \"\(path)\": permission denied. "
        + "Somebody with a shell on the rig: add this account to the socket's group, "
        + "\"api.socket_group\" in the configuration."
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
