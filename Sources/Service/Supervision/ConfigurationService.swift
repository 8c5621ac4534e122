import Devices
import Logging
import RigConfiguration
import ServiceLifecycle

/// The service that, after a while, stores its configuration file as the last good one.
struct ConfigurationService: Service {
  /// The time that the service must have run.
  static let probation = Duration.seconds(60)

  let store: ConfigurationStore
  /// The configuration that the service has read.
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
    // A service that returns would end all others.
    try? await gracefulShutdown()
  }
}
