package import Devices
package import Logging
import Synchronization

/// A handler that passes a logger's lines on, but only some of the lines of repeated attempts.
///
/// The type ``LogRepetition`` selects these lines.
package struct RepetitionHandler: LogHandler {
  /// The rows of all loggers' lines.
  package final class Memory: Sendable {
    fileprivate let clock: any MonotonicClock
    fileprivate let repetition = Mutex(LogRepetition())

    package init(clock: any MonotonicClock = SystemMonotonicClock()) { self.clock = clock }
  }

  private let memory: Memory
  private let label: String
  private var base: any LogHandler

  /// Makes a handler.
  ///
  /// - Parameters:
  ///   - base: the handler that gets the lines; from a row's second line on, `log.repeated` counts
  ///     them.
  ///   - label: the logger's label.
  ///   - memory: the memory that all handlers share.
  package init(_ base: any LogHandler, label: String, memory: Memory) {
    self.base = base
    self.label = label
    self.memory = memory
  }

  /// Passes a line on or drops it.
  package func log(event: LogEvent) {
    guard let line = LogRepetition.Line(event, label: label) else { return base.log(event: event) }
    let now = memory.clock.now
    guard let count = memory.repetition.withLock({ $0.take(line, at: now) }) else { return }
    var event = event
    if count > 1 {
      var metadata = event.metadata ?? [:]
      metadata["log.repeated"] = "\(count)"
      event.metadata = metadata
    }
    base.log(event: event)
  }

  /// The metadata of each line.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  /// The metadata of each line.
  package var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  /// The provider of more metadata for each line.
  package var metadataProvider: Logger.MetadataProvider? {
    get { base.metadataProvider }
    set { base.metadataProvider = newValue }
  }

  /// The lowest level that is logged.
  package var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }
}
