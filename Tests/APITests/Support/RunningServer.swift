import API
import Console
import Devices
import Foundation
import ServiceLifecycle
import TestSupport

/// A server of the API on a socket of its own.
struct RunningServer: Sendable {
  /// The socket's path.
  let socketPath: String
  /// Stops the server gracefully, as SIGTERM does.
  let stop: @Sendable () async -> Void

  /// A client for the socket.
  var client: RigClient { RigClient(socketPath: socketPath) }
}

/// Runs a server around a test and stops it afterwards.
///
/// - Throws: what the server's `run` throws, also when it cannot begin.
func withServer<Success: Sendable>(
  _ rig: FakeRig, at path: String? = nil, auditLog: any AuditLog = MemoryAuditLog(),
  log: any LogSource = FakeLog(), page: PageFiles? = nil, signIns: (any SignInStore)? = nil,
  clock: any MonotonicClock = SystemMonotonicClock(),
  edit: (inout APIConfiguration) -> Void = { _ in },
  lookUpAccess: (@Sendable () -> AccessLookup)? = nil,
  onProblem: @escaping @Sendable (ListeningPlace, String?) -> Void = { _, _ in },
  _ body: (RunningServer) async throws -> Success
) async throws -> Success {
  try await withTemporaryDirectory { directory in
    var configuration = APIConfiguration(socketPath: path ?? directory + "/s")
    // Tests ask faster than people; those of the rate say their own.
    configuration.requestRate = RequestRate.Limit(perSecond: 1000, burst: 100_000)
    // Shorter ones are the tests' of the grace: what is under way ends also on a busy machine.
    (configuration.shutdownGrace, configuration.streamGrace) = (.seconds(60), .seconds(60))
    edit(&configuration)
    let (listening, signal) = AsyncStream.makeStream(of: Void.self)
    let server = APIServer(
      configuration: configuration, service: rig, lookUpAccess: lookUpAccess, auditLog: auditLog,
      logSource: log, page: page, signIns: signIns, clock: clock, logger: .silent,
      onListening: { signal.yield() }, onProblem: onProblem)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          ServiceGroupConfiguration.ServiceConfiguration(
            service: server, successTerminationBehavior: .gracefullyShutdownGroup)
        ], logger: .silent))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        defer { signal.finish() }
        try await group.run()
      }
      guard await listening.first(where: { true }) != nil else {
        try await tasks.waitForAll()
        throw CancellationError()
      }
      let stop: @Sendable () async -> Void = { await group.triggerGracefulShutdown() }
      let success: Success
      do {
        success = try await body(
          RunningServer(socketPath: configuration.socketPath, stop: stop))
      } catch {
        await stop()
        throw error
      }
      await stop()
      try await tasks.waitForAll()
      return success
    }
  }
}
