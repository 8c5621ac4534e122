/// Why an attempt to deliver an item has failed, and whom it concerns.
public struct DeliveryFailure: Error, Hashable, Codable, CustomStringConvertible {
  /// Whom a failure concerns, which decides who waits.
  public enum Scope: String, Sendable, Hashable, Codable {
    /// This item only: others are delivered meanwhile.
    case item
    /// The target or the way to it: everything waits.
    case target
  }

  /// The kind of failure; an open set, spelled as it appears in logs and in the API.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The target cannot be reached, or the connection broke.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The target did not answer in time.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The connection could not be secured.
    public static let tls = Code(rawValue: "tls")
    /// The target wants other credentials.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The target asks for fewer requests.
    public static let throttled = Code(rawValue: "throttled")
    /// The target has a fault of its own.
    public static let serverError = Code(rawValue: "serverError")
    /// The target has no room.
    public static let targetFull = Code(rawValue: "targetFull")
    /// The target does not do what delivery needs; somebody must change its or our configuration.
    public static let blocked = Code(rawValue: "blocked")
    /// The target does not take this item.
    public static let rejected = Code(rawValue: "rejected")
    /// The target holds something else under the item's name.
    public static let conflict = Code(rawValue: "conflict")
    /// What was read back is not what was sent.
    public static let corrupted = Code(rawValue: "corrupted")
    /// The item's name cannot be used at the target.
    public static let badName = Code(rawValue: "badName")
    /// The item's file cannot be read.
    public static let fileUnreadable = Code(rawValue: "fileUnreadable")
    /// The queue itself did not answer.
    public static let queueFailed = Code(rawValue: "queueFailed")
    /// The service is ending.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public let code: Code
  /// Whom it concerns.
  public let scope: Scope
  /// What happened: one sentence, the object quoted, the cause last, no secrets.
  public let text: String
  /// The HTTP status that says so, if there was an answer.
  public let status: Int?
  /// The time that the target wants us to wait, as it said it.
  public let retryAfter: Duration?

  /// Makes a failure.
  public init(
    _ code: Code, scope: Scope, text: String, status: Int? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.scope = scope
    self.text = text
    self.status = status
    self.retryAfter = retryAfter
  }

  /// What happened.
  public var description: String { text }

  /// Whether the target had no part in it, so that it says nothing about the target.
  var isLocal: Bool { [.fileUnreadable, .badName, .queueFailed, .cancelled].contains(code) }

  /// Whether one item may be the cause of what looks like the target's fault.
  ///
  /// Certificates are asked for before any item is looked at, and so are credentials, unless the
  /// answer is 403: that may be due to a name, or to a filter that dislikes a picture.
  var mayComeFromItem: Bool {
    !isLocal && code != .tls && (code != .unauthorized || status == 403)
  }

  /// Whether it is one item's fault when the target takes another one meanwhile.
  ///
  /// Somebody must have answered: a network that breaks in the middle of an item is not the item's
  /// fault, however often. With 429, 503 and 507 a target speaks of itself.
  var countsAgainstItem: Bool {
    status != nil && mayComeFromItem && [.serverError, .blocked, .unauthorized].contains(code)
  }

  /// The same failure as one of the item alone.
  var itemsOwn: DeliveryFailure {
    DeliveryFailure(code, scope: .item, text: text, status: status)
  }
}
