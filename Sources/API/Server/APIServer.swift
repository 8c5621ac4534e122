package import Devices
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A server of the API over a Unix socket, and over TCP where that is configured.
///
/// On a graceful shutdown streams of events end at once, other requests may end within
/// ``APIConfiguration/shutdownGrace``, and the socket's file is removed.
package struct APIServer: Service {
  let configuration: APIConfiguration
  private let service: any RigService
  let lookUpAccess: (@Sendable () -> AccessLookup)?
  private let auditLog: any AuditLog
  private let logSource: any LogSource
  private let page: PageFiles?
  private let signIns: (any SignInStore)?
  private let clock: any MonotonicClock
  let logger: Logger
  private let onListening: @Sendable () async -> Void
  let onProblem: @Sendable (ListeningPlace, String?) -> Void

  /// Makes a server; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - configuration: the places and the limits of the server.
  ///   - service: the rig.
  ///   - lookUpAccess: asks the machine for the accounts that may look or act, however long that
  ///     takes; retried while a name is unknown; `nil` when the configuration's policy is complete.
  ///   - auditLog: the log that acts are entered into.
  ///   - logSource: the service's log.
  ///   - page: the page in the browser; `nil` for none.
  ///   - signIns: keeps the sign-ins of browsers over restarts; `nil` to forget them.
  ///   - clock: measures the callers' rates, the age of sign-ins, and the waits for callers' names
  ///     and for a viewer's first picture.
  ///   - logger: logs the problems of the server itself.
  ///   - onListening: called once requests are answered at the socket, and TCP has been tried.
  ///   - onProblem: called with the reason why the API is not served at a place as configured, and
  ///     with `nil` once it is served.
  package init(
    configuration: APIConfiguration, service: any RigService,
    lookUpAccess: (@Sendable () -> AccessLookup)? = nil, auditLog: any AuditLog,
    logSource: any LogSource, page: PageFiles? = nil, signIns: (any SignInStore)? = nil,
    clock: any MonotonicClock = SystemMonotonicClock(), logger: Logger,
    onListening: @escaping @Sendable () async -> Void = {},
    onProblem: @escaping @Sendable (ListeningPlace, String?) -> Void = { _, _ in }
  ) {
    self.configuration = configuration
    self.service = service
    self.lookUpAccess = lookUpAccess
    self.auditLog = auditLog
    self.logSource = logSource
    self.page = page
    self.signIns = signIns
    self.clock = clock
    self.logger = logger
    self.onListening = onListening
    self.onProblem = onProblem
  }

  /// Has all servers of this process share one thread for their connections.
  ///
  /// Must be called once, before the first server: one thread suffices for a rig's few callers, and
  /// the default is one for each processor.
  package static func useOneThread() {
    NIOSingletons.groupLoopCountSuggestion = 1
  }

  /// Serves until the graceful shutdown or the end of the task.
  ///
  /// An address that is unavailable ends nothing, because the rig works without a network. The
  /// server retries the address for as long as it runs. A group that cannot get the socket is
  /// retried as well; until then the socket is open to its owner only. The name of an account that
  /// the machine does not know is also retried; until then it stands for no account.
  ///
  /// - Throws: ``SocketError`` when the socket cannot be opened, or the socket's own error.
  package func run() async throws {
    let socket = SocketFile(path: configuration.socketPath)
    try socket.makeRoom()
    let feeds = Feeds(configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await event in await service.events() { feeds.events.send(event) } }
      group.addTask { for await line in await logSource.follow() { feeds.log.send(line) } }
      group.addTask { await sendHeartbeats(to: feeds) }
      defer { group.cancelAll() }
      try await withGracefulShutdownHandler {
        try await serveWithinGrace(socket, feeds)
      } onGracefulShutdown: {
        feeds.finish()
      }
    }
  }

  private func sendHeartbeats(to feeds: Feeds) async {
    while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil {
      feeds.events.sendHeartbeat()
      feeds.log.sendHeartbeat()
    }
  }

  /// Serves the API; requests that outlast the grace of a shutdown are cut off.
  private func serveWithinGrace(_ socket: SocketFile, _ feeds: Feeds) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await serve(socket, feeds) }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: configuration.shutdownGrace)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func serve(_ socket: SocketFile, _ feeds: Feeds) async throws {
    let access = CurrentAccessPolicy(configuration.access)
    let authenticator = configuration.network.map {
      SignInAuthenticator(tokens: $0.tokens, clock: clock, store: signIns)
    }
    let responder = makeResponder(feeds, access, authenticator)
    let listening = ListeningPlaces(
      configuration.network == nil ? [.socket] : [.socket, .network], whenAll: onListening)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (known, whenKnown) = AsyncStream.makeStream(of: Void.self)
      group.addTask { await keepLookingUp(access) { whenKnown.finish() } }
      for await _ in known {}
      let bound = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        defer { bound.continuation.finish() }
        try await serve(responder, over: socket) { bound.continuation.yield() }
      }
      group.addTask {
        guard await bound.stream.first(where: { true }) != nil else { return }
        await openToGroup(socket) { await listening.note(.socket) }
      }
      if let network = configuration.network, let authenticator {
        group.addTask {
          await authenticator.restore()
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await authenticator.keepSaving() }
            defer { group.cancelAll() }
            try await keepServing(responder, over: network) { await listening.note(.network) }
          }
        }
      }
      defer { group.cancelAll() }
      // waitForAll() would let one task go on for ever after another has failed.
      while try await group.next() != nil {}
    }
  }

  /// The configuration of each connection.
  var connection: HTTP1Channel.Configuration {
    let (timeout, leastRate) = (configuration.unreadTimeout, configuration.leastReadingRate)
    return HTTP1Channel.Configuration(
      additionalChannelHandlers: [StuckReaderHandler(timeout: timeout, leastRate: leastRate)],
      idleTimeout: TimeAmount(configuration.idleTimeout))
  }

  /// The share of the connections that each account may have.
  var shares: ConnectionShares { ConnectionShares(limit: configuration.connectionShare) }

  /// Returns the responder to requests from all places.
  private func makeResponder(
    _ feeds: Feeds, _ access: CurrentAccessPolicy, _ authenticator: SignInAuthenticator?
  ) -> RouterResponder<APIContext> {
    let recorder = ActRecorder(log: auditLog, run: feeds.events.run, clock: clock, logger: logger)
    let network = configuration.network.flatMap { settings in
      authenticator.map { NetworkGuard(configuration: settings, authenticator: $0) }
    }
    let routes = APIRoutes(
      service: service, feed: feeds.events, logSource: logSource, logFeed: feeds.log,
      auditLog: auditLog, maximumBodyBytes: configuration.maximumBodyBytes,
      previewPlaces: PreviewPlaces(
        maximum: configuration.maximumViewers, owners: configuration.access.owners),
      streamGrace: configuration.streamGrace, clock: clock, access: access, network: network,
      recorder: recorder)
    let all = routes.routes
    let gate = AccessGate(
      access: access, network: network, page: page, limit: configuration.requestRate, routes: all,
      recorder: recorder, clock: clock)
    return routes.makeResponder(all, gate: gate)
  }

  private func serve(
    _ responder: RouterResponder<APIContext>, over socket: SocketFile,
    onBound: @escaping @Sendable () -> Void
  ) async throws {
    let opening = Opening()
    let (connection, shares, accounts) = (connection, shares, AccountNames())
    let names = CallerNames(clock: clock) { await accounts.name(ofUser: $0) }
    let application = Application(
      responder: responder,
      server: HTTPServerBuilder { responder in
        let channel = HTTP1Channel(responder: responder, configuration: connection)
        return PeerChannel(base: channel, names: names, shares: shares)
      },
      configuration: ApplicationConfiguration(
        address: .unixDomainSocket(path: configuration.socketPath), serverName: "platen",
        availableConnectionsDelegate: .maximum(configuration.maximumConnections, logger: logger)),
      onServerRunning: { channel in
        opening.state.withLock { $0.isBound = true }
        do throws(SocketError) {
          let isGiven = configuration.socketGroup != nil
          try socket.setPermissions(configuration.socketMode & (isGiven ? 0o700 : 0o777))
          onBound()
        } catch {
          // The framework's hook cannot throw: the end of the channel ends the server.
          opening.state.withLock { $0.failure = error }
          channel.close(promise: nil)
        }
      },
      logger: logger)
    do {
      try await application.run()
    } catch let error as IOError where !opening.state.withLock({ $0.isBound }) {
      throw SocketError(
        .system, path: configuration.socketPath, problem: "cannot be opened",
        errno: error.errnoCode)
    } catch {
      throw opening.state.withLock { $0.failure } ?? error
    }
    if let failure = opening.state.withLock({ $0.failure }) { throw failure }
  }
}

/// The feeds of the listeners: the changes on the rig, and the service's log.
private struct Feeds: Sendable {
  let events: EventFeed<RigEvent>
  let log: EventFeed<LogEntry>

  init(_ configuration: APIConfiguration) {
    let run = EventID.makeRun()
    events = EventFeed(
      run: run, historyLimit: configuration.eventHistoryLimit,
      maximumListeners: configuration.maximumListeners, owners: configuration.access.owners)
    log = EventFeed(
      run: run, historyLimit: LogFilter.maximumLimit, historyBytes: LogFilter.maximumBytes,
      maximumListeners: configuration.maximumListeners, owners: configuration.access.owners,
      // The log begins before the API, so its first number is unknown.
      first: nil)
  }

  func finish() {
    events.finish()
    log.finish()
  }
}

/// The progress of opening the socket, carried out of the framework's hook.
final class Opening: Sendable {
  struct State {
    var isBound = false
    /// The reason why the socket could not be secured.
    var failure: SocketError?
  }

  let state = Mutex(State())
}
