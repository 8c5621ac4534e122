import Devices
import Hummingbird

/// A request that is refused before its content is looked at.
struct RefusedRequest: Error {
  let error: APIError
  /// The header fields beside the error, for example when to retry.
  let headers: HTTPFields

  init(_ error: APIError, headers: HTTPFields = [:]) {
    self.error = error
    self.headers = headers
  }

  /// Makes the refusal of a caller who asks too often.
  ///
  /// - Parameters:
  ///   - pause: the time until a retry may help.
  ///   - message: returns the sentence for a pause in seconds.
  static func tooOften(_ pause: Duration, _ message: (Int) -> String) -> RefusedRequest {
    // The header takes whole seconds, and rounding up avoids a retry that comes too early.
    let seconds = max(1, Int((pause.inMilliseconds / 1000).rounded(.up)))
    return RefusedRequest(
      APIError(.tooManyRequests, message(seconds)), headers: [.retryAfter: "\(seconds)"])
  }
}
