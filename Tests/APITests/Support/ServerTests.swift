import Testing

/// The tests that run a server, one after the other.
///
/// Server, client and tests share one small pool of threads, which blocking calls of many would use
/// up.
@Suite(.serialized, .timeLimit(.minutes(10))) enum ServerTests {}
