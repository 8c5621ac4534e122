import Hummingbird

/// A request that is refused before anybody looks at what it asks for.
struct RefusedRequest: Error {
  let error: APIError
  /// What the answer says beside the error, for example when to try again.
  let headers: HTTPFields

  init(_ error: APIError, headers: HTTPFields = [:]) {
    self.error = error
    self.headers = headers
  }
}
