import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A server's connections over TCP, each with the address at its other end.
struct NetworkChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let shares: ConnectionShares

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      try channel.addMessageRules()
      return value
    }
  }

  @concurrent func handle(value: Base.Value, logger: Logger) async {
    let address = value.channel.remoteAddress?.ipAddress ?? "?"
    let caller = Caller(
      account: .address(address), name: nil, origin: .network(address: address))
    await base.handle(value, as: caller.account, shares, logger: logger) { caller }
  }
}

extension NetworkConfiguration {
  /// Returns the builder of the server for the connections.
  func server(
    _ configuration: HTTP1Channel.Configuration, _ shares: ConnectionShares
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      NetworkChannel(
        base: HTTP1Channel(responder: responder, configuration: configuration), shares: shares)
    }
  }
}

/// The reason why the API cannot be served over TCP.
package struct NetworkError: Error, Hashable, CustomStringConvertible {
  /// A sentence with the object in quotes and the cause last.
  package let description: String
}
