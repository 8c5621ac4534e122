import HummingbirdCore
import Logging
import NIOCore

/// A server's connections over a Unix socket, each with the caller at its other end.
///
/// The kernel is asked once for each connection, before its first byte is read. Afterwards the
/// caller may have closed the connection, and the sender of the remaining bytes would be unknown.
struct PeerChannel<Base: ServerChildChannel>: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let base: Base.Value
    /// The caller's credentials; `nil` when the kernel does not say.
    let peer: PeerCredentials?

    var channel: any Channel { base.channel }
  }

  let base: Base
  let names: CallerNames
  let shares: ConnectionShares

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      try channel.addMessageRules()
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

/// The bytes of an answer that the kernel keeps for a reader; the kernel doubles the number.
///
/// The kernel fills its usual 200 kB again only when three quarters of them are read. A reader at
/// 9600 baud needs three minutes for that and looks like a reader that has stopped.
private let sendBufferBytes: SocketOptionValue = 16 * 1024

extension ServerChildChannel {
  /// Serves a connection, or closes it when its account has too many already.
  @concurrent func handle(
    _ value: Value, as account: Caller.Account, _ shares: ConnectionShares, logger: Logger,
    caller: () async -> Caller
  ) async {
    let isAdmitted = shares.enter(account)
    defer { if isAdmitted { shares.leave(account) } }
    // A connection that was set up has to be handled to its end, which the close brings near.
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
