public import Devices
public import Logging
import Synchronization

/// Passes a logger's lines on, but of those that tell of one attempt after another only some; see
/// ``LogRepetition``.
public struct RepetitionHandler: LogHandler {
  /// The rows of the lines of all loggers.
  public final class Memory: Sendable {
    fileprivate let clock: any MonotonicClock
    fileprivate let repetition = Mutex(LogRepetition())

    /// Makes a memory of nothing.
    public init(clock: any MonotonicClock = SystemMonotonicClock()) { self.clock = clock }
  }

  private let memory: Memory
  private let label: String
  private var base: any LogHandler

  /// Makes a handler.
  ///
  /// - Parameters:
  ///   - base: gets the lines; each that is not the first says by `log.repeated` how often it has come.
  ///   - label: the logger's.
  ///   - memory: the one of all handlers.
  public init(_ base: any LogHandler, label: String, memory: Memory) {
    self.base = base
    self.label = label
    self.memory = memory
  }

  /// Passes a line on, or not.
  public func log(event: LogEvent) {
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
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  /// The metadata of each line.
  public var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  /// Gives more metadata for each line.
  public var metadataProvider: Logger.MetadataProvider? {
    get { base.metadataProvider }
    set { base.metadataProvider = newValue }
  }

  /// The least level that is logged.
  public var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }
}
