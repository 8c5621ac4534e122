import Synchronization

/// A target that stores items in Amazon S3 or on a compatible server.
///
/// An item is one object. Up to a limit an item is sent in one request, and a larger item in parts.
/// Stored parts are not sent again after an interruption. `If-None-Match: *` makes the server
/// refuse to replace an object, so a lost answer does no harm. A key that may only write is enough:
/// reading, listing and deleting are used if allowed and never needed. Checksums are sent with the
/// bytes, and the server refuses bytes that do not match them.
///
/// The key needs `s3:PutObject`. With `s3:ListMultipartUploadParts` an interrupted large item is
/// not sent from its beginning. With `s3:AbortMultipartUpload` an abandoned item leaves no parts.
/// With `s3:ListBucketMultipartUploads` as well, a lost upload ID leaves no upload.
package struct S3Target: UploadTarget {
  /// The kind of a ``ResumeState`` with the ID of an upload.
  static let resumeKind = "s3Multipart"
  /// The kind of a ``ResumeState`` for an upload whose ID was not known yet.
  static let creationKind = "s3Creation"

  private let configuration: S3Configuration
  private let location: S3Location
  private let clock: S3Clock
  private let pool: HTTPClientPool
  private let hasher = FileHasher()
  private let traits = S3ServerTraits()

  /// Makes a target; nothing is connected and no secret is read yet.
  ///
  /// - Parameter wallNanoseconds: the nanoseconds since 1970 by this machine's clock, which may be
  ///   wrong; signatures are corrected by the server's clock.
  /// - Throws: ``DeliveryFailure`` with `blocked` when the configuration cannot be used.
  package init(
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

  /// The URL below which the keys are.
  package var description: String {
    let bucket = location.url(nil)
    return configuration.prefix.isEmpty ? bucket : bucket + configuration.prefix + "/"
  }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  package func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let key = location.key(ofName: delivery.remoteName) else {
      throw DeliveryFailure(badName: delivery.remoteName, cannotBe: "the key of an object")
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
      let isBegun = run.begun != nil
      return isBegun || delivery.byteCount > configuration.multipartThreshold
        ? try await run.sendInParts() : try await run.sendWhole()
    }
  }
}

/// A target's knowledge about its server, forgotten when the service ends.
final class S3ServerTraits: Sendable {
  private let refusesConditions = Atomic(false)
  private let refusesList = Atomic(false)

  /// Whether the server takes `If-None-Match: *`; `true` until the server refuses it.
  var takesConditions: Bool { !refusesConditions.load(ordering: .relaxed) }

  /// Notes that the server does not know the condition.
  func noteRefusedCondition() { refusesConditions.store(true, ordering: .relaxed) }

  /// Notes that the server does not list unfinished uploads; returns whether this is news.
  func noteRefusedList() -> Bool { !refusesList.exchange(true, ordering: .relaxed) }
}
