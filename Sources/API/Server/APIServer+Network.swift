import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

extension APIServer {
  /// The time until a second attempt, and the longest between two.
  private static let retryLimits = (first: Duration.seconds(1), last: Duration.seconds(30))

  /// Serves the API over TCP until the graceful shutdown or the end of the task, and tries again
  /// while that cannot be: the cable may be out, or the address not given yet.
  ///
  /// - Parameter onTried: called once connections are taken, or cannot be.
  /// - Throws: `CancellationError`.
  func keepServing(
    _ responder: RouterResponder<APIContext>, over network: NetworkConfiguration,
    onTried: @escaping @Sendable () async -> Void
  ) async throws {
    var interval = Self.retryLimits.first
    var said: NetworkError?
    while true {
      let wasServed = Mutex(false)
      do {
        return try await serve(responder, over: network) {
          wasServed.withLock { $0 = true }
          onNetwork(nil)
          await onTried()
        }
      } catch let error as NetworkError {
        if wasServed.withLock(\.self) { (interval, said) = (Self.retryLimits.first, nil) }
        if error != said {
          logger.error(
            "the API is not served over TCP; it is tried again", metadata: ["cause": "\(error)"])
        }
        said = error
        onNetwork(error)
        await onTried()
      }
      let pause = interval
      do {
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
      } catch {
        return
      }
      interval = min(interval * 2, Self.retryLimits.last)
    }
  }

  /// Serves the API over TCP until the graceful shutdown or the end of the task.
  ///
  /// - Parameter onListening: called once connections are taken.
  /// - Throws: ``NetworkError`` when the address cannot be used, or for what the network reports;
  ///   `CancellationError`.
  private func serve(
    _ responder: RouterResponder<APIContext>, over network: NetworkConfiguration,
    onListening: @escaping @Sendable () async -> Void
  ) async throws {
    let application = Application(
      responder: responder, server: network.server(connection, shares),
      configuration: ApplicationConfiguration(
        address: .hostname(network.address, port: network.port), serverName: "platen",
        availableConnectionsDelegate: .maximum(configuration.maximumConnections, logger: logger)),
      onServerRunning: { _ in await onListening() },
      logger: logger)
    let address = "the API's address \"\(network.address):\(network.port)\""
    do {
      try await application.run()
    } catch let error as CancellationError {
      throw error
    } catch let error as IOError {
      throw NetworkError(
        description: "\(address) cannot be used: \(String(cString: strerror(error.errnoCode)))")
    } catch {
      throw NetworkError(description: "\(address) cannot be used: \(error)")
    }
  }
}

/// Calls something once all the places that the API is served at have been tried.
final class ListeningPlaces: Sendable {
  /// A place that the API is served at.
  enum Place: Sendable {
    case socket
    case network
  }

  private let awaited: Mutex<Set<Place>>
  private let whenAll: @Sendable () async -> Void

  init(_ places: Set<Place>, whenAll: @escaping @Sendable () async -> Void) {
    awaited = Mutex(places)
    self.whenAll = whenAll
  }

  /// Notes that a place takes connections, or cannot; again does nothing.
  func note(_ place: Place) async {
    let isLast = awaited.withLock { $0.remove(place) != nil && $0.isEmpty }
    if isLast { await whenAll() }
  }
}
