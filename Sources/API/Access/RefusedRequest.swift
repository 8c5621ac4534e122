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
}
