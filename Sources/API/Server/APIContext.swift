import Hummingbird
import NIOCore

/// What a handler knows beside the request: the connection that it came over, and the caller.
struct APIContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection.
  let channel: any Channel
  /// Who is at the other end of it; behind the gate, as whom a token makes known.
  var caller: Caller

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    caller = ConnectionCaller.current
  }

  /// The same for a caller who is known better.
  func known(as caller: Caller) -> APIContext {
    var context = self
    context.caller = caller
    return context
  }
}
