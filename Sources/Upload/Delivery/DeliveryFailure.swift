import Transfer

/// The reason for which an attempt to deliver an item failed, with its scope.
package struct DeliveryFailure: Error, Hashable, Codable, CustomStringConvertible {
  /// The scope of a failure, which decides which deliveries wait.
  package enum Scope: String, Sendable, Hashable, Codable {
    /// The failure concerns this item only; other items are delivered meanwhile.
    case item
    /// The failure concerns the target or the connection to it; all deliveries wait.
    case target
  }

  /// The kind of failure; an open set, spelled as it appears in logs and in the API.
  package struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code's spelling, in lower camel case.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The target cannot be reached, or the connection broke.
    package static let unreachable = Code(rawValue: "unreachable")
    /// The target did not answer in time.
    package static let timedOut = Code(rawValue: "timedOut")
    /// The connection could not be secured.
    package static let tls = Code(rawValue: "tls")
    /// The target wants other credentials.
    package static let unauthorized = Code(rawValue: "unauthorized")
    /// The target asks for fewer requests.
    package static let throttled = Code(rawValue: "throttled")
    /// The target has a fault of its own.
    package static let serverError = Code(rawValue: "serverError")
    /// The target has no room.
    package static let targetFull = Code(rawValue: "targetFull")
    /// The target lacks something that delivery needs; a configuration must change.
    package static let blocked = Code(rawValue: "blocked")
    /// The target does not take this item.
    package static let rejected = Code(rawValue: "rejected")
    /// The target holds something else under the item's name.
    package static let conflict = Code(rawValue: "conflict")
    /// The target received, or gives back, other bytes than were sent.
    package static let corrupted = Code(rawValue: "corrupted")
    /// The item's name cannot be used at the target.
    package static let badName = Code(rawValue: "badName")
    /// The item's file cannot be read, or does not hold the item's bytes.
    package static let fileUnreadable = Code(rawValue: "fileUnreadable")
    /// This process or the machine lacks descriptors or memory, so that nothing is known about the
    /// item and the target.
    package static let shortOfResources = Code(rawValue: "shortOfResources")
    /// The queue itself did not answer.
    package static let queueFailed = Code(rawValue: "queueFailed")
    /// The service is ending.
    package static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  package let code: Code
  /// The failure's scope.
  package let scope: Scope
  /// The description: one sentence, the object quoted, the cause last, no secrets.
  package let text: String
  /// The HTTP status of the answer, if there was an answer.
  package let status: Int?
  /// The wait that the target asks for, as the target gives it.
  package let retryAfter: Duration?

  package init(
    _ code: Code, scope: Scope, text: String, status: Int? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.scope = scope
    self.text = text
    self.status = status
    self.retryAfter = retryAfter
  }

  /// The failure's text.
  package var description: String { text }

  /// Whether the target had no part in the failure.
  var isLocal: Bool {
    [.fileUnreadable, .badName, .shortOfResources, .queueFailed, .cancelled].contains(code)
  }

  /// Whether one item may be the cause of an apparent fault of the target.
  ///
  /// Certificates and credentials are checked before the server sees an item. Only a 403 may be due
  /// to the item: to its name, or to a filter that rejects the picture.
  var mayComeFromItem: Bool {
    !isLocal && code != .tls && (code != .unauthorized || status == 403)
  }

  /// Whether the failure is the item's fault if the target takes another item meanwhile.
  ///
  /// An answer must have come: a network that breaks during an item is never the item's fault. With
  /// 429, 503 and 507 a target speaks of itself.
  var countsAgainstItem: Bool {
    status != nil && mayComeFromItem && [.serverError, .blocked, .unauthorized].contains(code)
  }

  /// The same failure with the item as its scope.
  var itemsOwn: DeliveryFailure {
    DeliveryFailure(code, scope: .item, text: text, status: status)
  }
}

extension DeliveryFailure {
  /// Makes the failure of a target whose URL cannot be used.
  init(unusableURL url: String, expected: String = TargetProblem.usableURL) {
    self.init(
      .blocked, scope: .target,
      text: "\"\(redactedURL(url))\" is no URL to deliver to: \(expected)")
  }

  /// Makes the failure of an item whose name has no use at the target.
  init(badName name: String, cannotBe use: String) {
    self.init(.badName, scope: .item, text: "the item's name \"\(name)\" cannot be \(use)")
  }
}
