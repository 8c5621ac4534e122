import Synchronization

/// Delivers items to Amazon S3, or to a server that speaks its language.
///
/// An item is one object. Up to a size it is sent in one request, above that in parts, and what has
/// arrived is not sent again after a cut. `If-None-Match: *` makes the server refuse what is there
/// already, so a lost answer does no harm and a key that may only write is enough: reading, listing
/// and deleting are used where they are allowed and never needed. Checksums travel with the bytes,
/// and the server refuses what does not match them.
///
/// The key needs `s3:PutObject`; `s3:ListMultipartUploadParts` saves the bytes of an interrupted
/// large item, and `s3:AbortMultipartUpload` the room of a given up one.
public struct S3Target: UploadTarget {
  /// The kind of a ``ResumeState`` that this target keeps.
  static let resumeKind = "s3Multipart"

  private let configuration: S3Configuration
  private let location: S3Location
  private let clock: S3Clock
  private let pool: HTTPClientPool
  private let hasher = FileHasher()
  private let traits = S3ServerTraits()

  /// Makes a target; nothing is connected and no secret read yet.
  ///
  /// - Parameter wallNanoseconds: nanoseconds since 1970 by this machine's clock, which may be
  ///   wrong: signatures are corrected by what the server says.
  /// - Throws: ``DeliveryFailure`` with `blocked` when the configuration cannot be used.
  public init(
    _ configuration: S3Configuration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    location = try S3Location(configuration)
    guard configuration.partByteCount >= S3Configuration.minimumPartByteCount else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          parts of \(configuration.partByteCount) bytes cannot be used: S3 takes \
          \(S3Configuration.minimumPartByteCount) bytes or more
          """)
    }
    self.configuration = configuration
    clock = S3Clock(wallNanoseconds: wallNanoseconds)
    pool = HTTPClientPool(userAgent: configuration.http.userAgent)
  }

  /// The URL that the keys are below.
  public var description: String {
    let bucket = location.url(nil)
    return configuration.prefix.isEmpty ? bucket : bucket + configuration.prefix + "/"
  }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  public func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let key = location.key(ofName: delivery.remoteName) else {
      throw DeliveryFailure(
        .badName, scope: .item,
        text: "the item's name \"\(delivery.remoteName)\" cannot be the key of an object")
    }
    let secret = try configuration.credentials.read()
    return try await pool.withClient { (client) async throws(DeliveryFailure) -> Receipt in
      let run = S3Delivery(
        delivery: delivery, key: key, checksums: configuration.checksums,
        partByteCount: configuration.partByteCount,
        sender: S3Sender(
          location: location, settings: configuration.http, region: configuration.region,
          key: secret, clock: clock, client: client),
        hasher: hasher, traits: traits, journal: journal)
      let isBegun = delivery.resumeState?.kind == Self.resumeKind
      return isBegun || delivery.byteCount > configuration.multipartThreshold
        ? try await run.sendInParts() : try await run.sendWhole()
    }
  }
}

/// What a target has learnt about its server; forgotten when the service ends.
final class S3ServerTraits: Sendable {
  private let refusesConditions = Atomic(false)

  /// Whether the server takes `If-None-Match: *`; yes, until it says that it does not.
  var takesConditions: Bool { !refusesConditions.load(ordering: .relaxed) }

  /// The server has said that it does not know the condition.
  func noteRefusedCondition() { refusesConditions.store(true, ordering: .relaxed) }
}
