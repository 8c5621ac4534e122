import HummingbirdCore
import Logging
import NIOCore

/// A server's connections over a Unix socket, each with the caller at its other end.
///
/// The kernel is asked once for each connection, before its first byte is read: afterwards the
/// caller may have closed it, and nobody could say any more who sent what still lies there.
struct PeerChannel<Base: ServerChildChannel>: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let base: Base.Value
    /// `nil` when the kernel does not say.
    let peer: PeerCredentials?

    var channel: any Channel { base.channel }
  }

  let base: Base
  let names: CallerNames
  let shares: ConnectionShares

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    base.setup(channel: channel, logger: logger).map { value in
      _ = try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: sendBufferBytes)
      let peer = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self
      ) { PeerCredentials(of: $0) }
      return Value(base: value, peer: peer.flatMap { $0 })
    }
  }

  @concurrent func handle(value: Value, logger: Logger) async {
    let account = value.peer.map { Caller.Account.user($0.userID) } ?? .unknown
    await base.handle(value.base, as: account, shares, logger: logger) {
      if let peer = value.peer { await names.caller(peer) } else { .unknown }
    }
  }
}

/// How much of an answer the kernel keeps for a reader, in bytes; it doubles this.
///
/// Its usual 200 kB it fills up again only when three quarters of them were read. That takes a
/// reader behind 9600 baud three minutes, and nobody could tell it from one that does not read.
private let sendBufferBytes: SocketOptionValue = 16 * 1024

extension ServerChildChannel {
  /// Serves a connection of an account that has not too many of them already.
  @concurrent func handle(
    _ value: Value, as account: Caller.Account, _ shares: ConnectionShares, logger: Logger,
    caller: () async -> Caller
  ) async {
    let isAdmitted = shares.enter(account)
    defer { if isAdmitted { shares.leave(account) } }
    // What was set up has to be handled to its end, which is near then.
    if !isAdmitted { value.channel.close(promise: nil) }
    await ConnectionCaller.$current.withValue(isAdmitted ? await caller() : .unknown) {
      await handle(value: value, logger: logger)
    }
  }
}

/// The caller at the other end of the connection that a task serves.
enum ConnectionCaller {
  @TaskLocal static var current = Caller.unknown
}
