import Hummingbird
import NIOCore

/// The context of a request for its handler: the connection and the caller.
struct APIContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection.
  let channel: any Channel
  /// The caller at the other end; behind the gate, the caller that a token identifies.
  var caller: Caller

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    caller = ConnectionCaller.current
  }

  /// Returns the context with an identified caller.
  func known(as caller: Caller) -> APIContext {
    var context = self
    context.caller = caller
    return context
  }
}
