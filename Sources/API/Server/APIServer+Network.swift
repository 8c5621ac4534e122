import Devices
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

extension APIServer {
  /// Serves the API over TCP until the graceful shutdown or the end of the task, with retries.
  ///
  /// Retries help when the cable is out or the address is not assigned yet.
  ///
  /// - Parameter onTried: called when connections are taken, and after each failure.
  /// - Throws: `CancellationError`.
  func keepServing(
    _ responder: RouterResponder<APIContext>, over network: NetworkConfiguration,
    onTried: @escaping @Sendable () async -> Void
  ) async throws {
    var retry = ListeningRetry()
    var said: NetworkError?
    while true {
      let wasServed = Mutex(false)
      do {
        return try await serve(responder, over: network) {
          wasServed.withLock { $0 = true }
          onProblem(.network, nil)
          await onTried()
        }
      } catch let error as NetworkError {
        if wasServed.withLock(\.self) { (retry, said) = (ListeningRetry(), nil) }
        if error != said {
          logger.error(
            "the API is not served over TCP; retrying", metadata: ["cause": "\(error)"])
        }
        said = error
        onProblem(.network, error.description)
        await onTried()
      }
      guard await retry.pause() else { return }
    }
  }

  /// Serves the API over TCP until the graceful shutdown or the end of the task.
  ///
  /// - Parameter onListening: called once connections are taken.
  /// - Throws: ``NetworkError`` when the address cannot be used or the network fails;
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
        description: "\(address) cannot be used: \(SystemError(error.errnoCode))")
    } catch {
      throw NetworkError(description: "\(address) cannot be used: \(error)")
    }
  }
}
