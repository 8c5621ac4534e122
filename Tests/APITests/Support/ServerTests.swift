import Testing

/// The tests that run a server, one after the other.
///
/// Server, client and tests share one small pool of threads; side by side they would measure each
/// other's load instead of how long the server takes to stop.
@Suite(.serialized) enum ServerTests {}
