import Hummingbird
import Logging
import NIOCore

/// A middleware that turns every error, also the framework's own, into the API's one form.
///
/// The middleware also removes the body of every answer to HEAD, which must have none. It forbids
/// browsers to guess the type of an answer, and to show an answer on another page.
struct ErrorMiddleware: RouterMiddleware {
  /// The paths of the API.
  let routes: RouteTable

  @concurrent func handle(
    _ request: Request, context: APIContext,
    next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    var response = try await answer(request, context, next)
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(
    _ request: Request, _ context: APIContext,
    _ next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as APIError {
      return try response(error)
    } catch let refusal as RefusedRequest {
      var response = try response(refusal.error)
      for field in refusal.headers { response.headers.append(field) }
      return response
    } catch let error as any HTTPResponseError {
      return try response(frameworkError(error, request))
    } catch let error as CancellationError {
      throw error
    } catch {
      context.logger.error(
        "API request failed", metadata: ["api.path": "\(request.uri.path)", "error": "\(error)"])
      return try response(
        APIError(.internalError, "The service failed to answer; its log says how."))
    }

    func response(_ error: APIError) throws -> Response {
      var response = try jsonResponse(ErrorEnvelope(error), status: error.status)
      let methods = routes.allowedMethods(of: request.uri.path)
      if error.code == .methodNotAllowed, !methods.isEmpty {
        response.headers[.allow] = methods.joined(separator: ", ")
      }
      return response
    }
  }

  private func frameworkError(_ error: any HTTPResponseError, _ request: Request) -> APIError {
    switch error.status.code {
    case 404:
      let path = request.uri.path
      let methods = routes.allowedMethods(of: path)
      guard methods.isEmpty else {
        return APIError(
          .methodNotAllowed,
          "The path \"\(path)\" takes \(methods.joined(separator: ", ")), not \(request.method).")
      }
      return APIError(.notFound, "There is no path \"\(path)\" in this API.")
    case 400..<500:
      return APIError(.invalidRequest, "The request cannot be understood: \(error)")
    default:
      return APIError(.internalError, "The service failed to answer: \(error)")
    }
  }
}

/// Returns an answer in JSON that no cache may keep.
///
/// - Throws: `EncodingError`.
func jsonResponse(_ value: some Encodable, status: Int = 200) throws -> Response {
  Response(
    status: HTTPResponse.Status(code: status),
    headers: [.contentType: "application/json", .cacheControl: "no-store"],
    body: ResponseBody(byteBuffer: ByteBuffer(bytes: try APICoding.encode(value))))
}
