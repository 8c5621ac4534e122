import Hummingbird
import Synchronization

/// A middleware that counts the API's answers by the class of their status.
final class RequestCounter: RouterMiddleware {
  private let counts = Mutex<[Int: Int]>([:])

  /// The number of answers since the service started, by the hundreds of their status.
  var answersByClass: [Int: Int] { counts.withLock { $0 } }

  @concurrent func handle(
    _ request: Request, context: APIContext,
    next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    counts.withLock { $0[Int(response.status.code) / 100, default: 0] += 1 }
    return response
  }
}
