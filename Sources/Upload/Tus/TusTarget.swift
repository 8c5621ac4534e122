import Synchronization
import Transfer

/// Delivers items to a server of the tus resumable upload protocol, version 1.0.0, tus.io.
///
/// An upload is made with `POST`, filled with `PATCH` and, after an interruption, gone on with from
/// the place that the server names in its answer to `HEAD`. Of the extensions `creation` is needed;
/// `checksum` is used where the server says that it has it.
///
/// The protocol has no word for "only if it is not there". When the answer to the last `PATCH` is
/// lost, a server that remembers the upload says that it is complete, and one that has forgotten it
/// gets the item again under the same name. Servers that replace what has the name (SeaweedFS) or
/// that remember (resumable-upload) then hold it once; one that forgets and gives the second another
/// name (tussi makes `NAME_1.jpg`) holds it twice.
public struct TusTarget: UploadTarget {
  /// The kind of a ``ResumeState`` that this target keeps.
  static let resumeKind = "tus"

  private let configuration: TusConfiguration
  private let endpoint: OriginURL
  private let pool: HTTPClientPool
  private let hasher = FileHasher()
  private let server = TusServer()
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected and no secret read yet.
  ///
  /// - Parameter wallNanoseconds: nanoseconds since 1970 by this machine's clock, which may be
  ///   wrong.
  /// - Throws: ``DeliveryFailure`` with `blocked` when the configuration cannot be used.
  public init(
    _ configuration: TusConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard let endpoint = OriginURL(configuration.url), !endpoint.target.contains("?") else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          "\(redactedURL(configuration.url))" is no URL to deliver to: expected http or https, \
          a host, and no user, password, query or fragment
          """)
    }
    guard configuration.patchByteCount > 0 else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: "requests of \(configuration.patchByteCount) bytes carry nothing")
    }
    self.configuration = configuration
    self.endpoint = endpoint
    self.wallNanoseconds = wallNanoseconds
    pool = HTTPClientPool(userAgent: configuration.http.userAgent)
  }

  /// The URL that uploads are made at.
  public var description: String { endpoint.text }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  public func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let name = CollectionURL.parts(ofName: delivery.remoteName) else {
      throw DeliveryFailure(
        .badName, scope: .item,
        text: "the item's name \"\(delivery.remoteName)\" cannot be part of a URL's path")
    }
    let creationURL: OriginURL
    switch configuration.naming {
    case .metadata: creationURL = endpoint
    case .path: creationURL = endpoint.appending(name)
    }
    let identity = try TusIdentity(configuration.authorization)
    return try await pool.withClient { (client) async throws(DeliveryFailure) -> Receipt in
      let sender = TusSender(
        settings: configuration.http, identity: identity, client: client,
        wallNanoseconds: wallNanoseconds)
      let run = TusDelivery(
        delivery: delivery, endpoint: endpoint, creationURL: creationURL,
        naming: configuration.naming, patchByteCount: configuration.patchByteCount,
        sender: sender, hasher: hasher, server: server, journal: journal)
      return try await run.run()
    }
  }
}

/// What a target has learnt about its server; forgotten when the service ends, and when the server
/// turns out to be another one.
final class TusServer: Sendable {
  private let known = Mutex<TusCapabilities?>(nil)

  /// What the server says of itself, as far as it was asked.
  var capabilities: TusCapabilities? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}

/// Who we are to a server, for the time of one delivery.
struct TusIdentity: Sendable {
  /// User and password.
  let credentials: HTTPCredentials?
  /// The fields that prove it otherwise.
  let headers: [HTTPHeader]

  /// Reads the secret of an authorization.
  ///
  /// - Throws: ``DeliveryFailure`` with `unauthorized`, which names the file that cannot be used.
  init(_ authorization: TusConfiguration.Authorization?) throws(DeliveryFailure) {
    switch authorization {
    case .basic(let basic):
      credentials = HTTPCredentials(user: basic.user, password: try basic.password.read())
      headers = []
    case .bearer(let file):
      credentials = nil
      headers = [HTTPHeader("Authorization", "Bearer \(try file.read())")]
    case nil:
      credentials = nil
      headers = []
    }
  }
}
