import Devices
import Hummingbird
import Synchronization

/// A middleware that checks each caller's rate and permission, and has acts entered in the log.
///
/// The matched route decides the permission, so no spelling of a path can evade it. An unknown path
/// needs only the permission to read, so a reader learns that it does not exist. The gate also
/// answers requests for the files of the page. They hold no secret, come from memory, and count
/// toward no caller's rate, because a browser asks for all of them at once.
final class AccessGate: RouterMiddleware {
  private let access: CurrentAccessPolicy
  private let routes: [String: APIRoutes.Route]
  private let network: NetworkGuard?
  private let page: PageFiles?
  private let recorder: ActRecorder
  private let clock: any MonotonicClock
  private let rate: Mutex<RequestRate>

  init(
    access: CurrentAccessPolicy, network: NetworkGuard?, page: PageFiles?,
    limit: RequestRate.Limit, routes: [APIRoutes.Route], recorder: ActRecorder,
    clock: any MonotonicClock
  ) {
    self.access = access
    self.network = network
    self.page = page
    self.recorder = recorder
    self.clock = clock
    self.routes = Dictionary(
      uniqueKeysWithValues: routes.map {
        (Self.key($0.method, RouterPath($0.path).description), $0)
      })
    rate = Mutex(RequestRate(limit: limit))
  }

  @concurrent func handle(
    _ request: Request, context: APIContext,
    next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    let route = context.endpointPath.flatMap { routes[Self.key(request.method, $0)] }
    let isOpen = route.map { $0.permission == nil } ?? false
    let permission = route?.permission ?? .read
    var caller = context.caller
    do throws(RefusedRequest) {
      if let page, page.has(request) {
        if case .network = caller.origin { try network?.checkPlace(of: request) }
        return try page.answer(to: request)
      }
      try admit(caller)
      if case .network = caller.origin, let network {
        try network.checkPlace(of: request)
        if !isOpen {
          let takesPassword = route?.operation.takesPassword ?? false
          caller = try network.identify(caller, request, takesPassword: takesPassword)
        }
      }
      if !isOpen { try check(permission, of: caller, request) }
    } catch {
      if permission == .act { await recorder.refuse(request, by: caller, error.error) }
      throw error
    }
    let known = context.known(as: caller)
    guard let route, permission == .act else { return try await next(request, known) }
    return try await recorder.carryOut(request, by: caller, order: route.order) {
      try await next(request, known)
    }
  }

  private func admit(_ caller: Caller) throws(RefusedRequest) {
    let now = clock.now
    guard let pause = rate.withLock({ $0.admit(caller.account, at: now) }) else { return }
    throw RefusedRequest.tooOften(pause) { seconds in
      "The \(caller) asks too often; try again in \(seconds) s. The setting \"api.rate\" says "
        + "how often is allowed."
    }
  }

  private func check(
    _ permission: Permission, of caller: Caller, _ request: Request
  ) throws(RefusedRequest) {
    let policy = access.policy
    guard !policy.permits(permission, to: caller) else { return }
    let wish = permission == .act ? "do anything with this rig" : "look at this rig"
    throw RefusedRequest(
      APIError(
        .forbidden,
        "The \(caller) may not \(wish): \(request.method) \(request.uri.path.prefix(80)) is "
          + "refused. The setting \"\(policy.setting(for: permission, of: caller))\" names who may."
      ))
  }

  private static func key(_ method: HTTPRequest.Method, _ endpoint: String) -> String {
    "\(method.rawValue) \(endpoint)"
  }
}
