import Devices
import Logging
import ServiceLifecycle

/// Keeps the configuration file as the last good one when the service has run with it for a while.
struct ConfigurationService: Service {
  /// How long the service must have run.
  static let probation = Duration.seconds(60)

  let store: ConfigurationStore
  /// What the service has read.
  let source: ConfigurationSource
  let clock: any MonotonicClock
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      do { try await clock.sleep(for: Self.probation) } catch { return }
      do throws(ConfigurationStore.Failure) {
        try await store.noteGood(hash: source.hash)
      } catch {
        logger.info(
          "the configuration is not kept as the last good one", metadata: ["error": "\(error)"])
      }
    }
    // A service that returns ends all others.
    try? await gracefulShutdown()
  }
}
