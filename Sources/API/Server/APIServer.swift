import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization

/// Serves the API over a Unix socket until it is told to stop.
///
/// On a graceful shutdown streams of events end at once, other requests may end within
/// ``APIConfiguration/shutdownGrace``, and the socket's file is removed.
public struct APIServer: Service {
  private let configuration: APIConfiguration
  private let service: any RigService
  private let logger: Logger
  private let onListening: @Sendable () async -> Void

  /// Makes a server; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - configuration: where and within which bounds.
  ///   - service: the rig.
  ///   - logger: for what goes wrong in the server itself.
  ///   - onListening: called once requests are answered.
  public init(
    configuration: APIConfiguration, service: any RigService, logger: Logger,
    onListening: @escaping @Sendable () async -> Void = {}
  ) {
    self.configuration = configuration
    self.service = service
    self.logger = logger
    self.onListening = onListening
  }

  /// Serves until the graceful shutdown or the end of the task.
  ///
  /// - Throws: ``SocketError`` when the socket cannot be had, or what the network reports.
  public func run() async throws {
    let socket = SocketFile(path: configuration.socketPath)
    try socket.makeRoom()
    if let group = configuration.socketGroup { try socket.groupNumber(group) }
    let feed = EventFeed(
      run: EventID.makeRun(), historyLimit: configuration.eventHistoryLimit,
      maximumListeners: configuration.maximumListeners, bufferedItems: 256)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await passOnEvents(to: feed) }
      group.addTask { await sendHeartbeats(to: feed) }
      defer { group.cancelAll() }
      try await withGracefulShutdownHandler {
        try await serveWithinGrace(socket, feed)
      } onGracefulShutdown: {
        feed.finish()
      }
    }
  }

  private func passOnEvents(to feed: EventFeed) async {
    for await event in await service.events() { feed.send(event) }
  }

  private func sendHeartbeats(to feed: EventFeed) async {
    while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil {
      feed.sendHeartbeat()
    }
  }

  /// Serves; once told to stop, what has not ended within the grace is cut off.
  private func serveWithinGrace(_ socket: SocketFile, _ feed: EventFeed) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await serve(socket, feed) }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: configuration.shutdownGrace)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func serve(_ socket: SocketFile, _ feed: EventFeed) async throws {
    let opening = Opening()
    let routes = APIRoutes(
      service: service, feed: feed, maximumBodyBytes: configuration.maximumBodyBytes)
    let application = Application(
      responder: routes.makeResponder(),
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          idleTimeout: TimeAmount(configuration.idleTimeout))),
      configuration: ApplicationConfiguration(
        address: .unixDomainSocket(path: configuration.socketPath), serverName: "platen",
        availableConnectionsDelegate: .maximum(configuration.maximumConnections, logger: logger)),
      onServerRunning: { channel in
        opening.state.withLock { $0.isBound = true }
        do throws(SocketError) {
          try socket.secure(mode: configuration.socketMode, group: configuration.socketGroup)
          await onListening()
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

/// How far the opening of the socket got, carried out of the framework's hook.
private final class Opening: Sendable {
  struct State {
    var isBound = false
    /// Why the socket could not be secured.
    var failure: SocketError?
  }

  let state = Mutex(State())
}
