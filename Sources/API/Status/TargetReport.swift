/// What is known of one target.
public struct TargetReport: Sendable, Hashable, Codable {
  /// A delivery that is under way.
  public struct Running: Sendable, Hashable, Codable {
    /// The picture.
    public let itemID: String
    /// How many bytes the target has; `nil` when they are not counted.
    public let bytesSent: Int64?
    /// How many bytes the picture has.
    public let bytes: Int64
    /// How far the target's own work is, 0...1; `nil` when it does not say.
    public let fraction: Double?
    /// The target's own words.
    public let text: String?

    /// Makes a report.
    public init(
      itemID: String, bytesSent: Int64?, bytes: Int64, fraction: Double?, text: String?
    ) {
      self.itemID = itemID
      self.bytesSent = bytesSent
      self.bytes = bytes
      self.fraction = finite(fraction)
      self.text = text
    }
  }

  /// The target's name.
  public let name: String
  /// Its kind, for example `webdav` or `s3`.
  public let kind: String
  /// Where it is, without any secret.
  public let url: String
  /// `stopped`, `idle`, `delivering`, `waitingToRetry` or `held`.
  public let state: String
  /// Why it waits or is held; `nil` when it does not.
  public let detail: String?
  /// The time to the next attempt while it waits, in seconds.
  public let nextAttemptSeconds: Double?
  /// Why no delivery begins, for example `thermalCritical` or `window`; empty when one may.
  public let holds: [String]
  /// The deliveries that are under way.
  public let running: [Running]
  /// Pictures delivered since the service started.
  public let delivered: Int
  /// Of these, pictures that the target had already.
  public let duplicates: Int
  /// Attempts that failed since the service started.
  public let failures: Int
  /// Pictures set aside since the service started.
  public let parked: Int

  /// Makes a report.
  public init(
    name: String, kind: String, url: String, state: String, detail: String? = nil,
    nextAttemptSeconds: Double? = nil, holds: [String] = [], running: [Running] = [],
    delivered: Int = 0, duplicates: Int = 0, failures: Int = 0, parked: Int = 0
  ) {
    self.name = name
    self.kind = kind
    self.url = url
    self.state = state
    self.detail = detail
    self.nextAttemptSeconds = finite(nextAttemptSeconds)
    self.holds = holds
    self.running = running
    self.delivered = delivered
    self.duplicates = duplicates
    self.failures = failures
    self.parked = parked
  }
}
