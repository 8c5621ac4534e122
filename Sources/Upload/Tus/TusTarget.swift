import Synchronization
import Transfer

/// A target on a server of the tus resumable upload protocol, version 1.0.0, tus.io.
///
/// An upload is made with `POST` and filled with `PATCH`. After an interruption the upload
/// continues at the place that the server names in its answer to `HEAD`. The extension `creation`
/// is required; `checksum` is used if the server announces it.
///
/// The protocol has no condition "only if the item is not there". If the answer to the last `PATCH`
/// is lost, a server that remembers the upload reports it as complete. A server that has forgotten
/// the upload gets the item again under the same name. Servers that replace the existing file
/// (SeaweedFS) or that remember (resumable-upload) hold the item once. A server that forgets and
/// renames the second file (tussi makes `NAME_1.jpg`) holds the item twice.
package struct TusTarget: UploadTarget {
  /// The kind of a ``ResumeState`` that this target keeps.
  static let resumeKind = "tus"

  private let configuration: TusConfiguration
  private let endpoint: OriginURL
  private let pool: HTTPClientPool
  private let hasher = FileHasher()
  private let server = TusServer()
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected and no secret is read yet.
  ///
  /// - Parameter wallNanoseconds: the nanoseconds since 1970 by this machine's clock, which may be
  ///   wrong.
  /// - Throws: ``DeliveryFailure`` with `blocked` when the configuration cannot be used.
  package init(
    _ configuration: TusConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard let endpoint = OriginURL(configuration.url), !endpoint.target.contains("?") else {
      throw DeliveryFailure(unusableURL: configuration.url)
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
  package var description: String { endpoint.text }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  package func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let name = CollectionURL.parts(ofName: delivery.remoteName) else {
      throw DeliveryFailure(badName: delivery.remoteName, cannotBe: "part of a URL's path")
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

/// A target's knowledge about its server.
///
/// The knowledge is forgotten when the service ends, and when another server may answer.
final class TusServer: Sendable {
  private let known = Mutex<TusCapabilities?>(nil)

  /// The server's capabilities; `nil` when they are unknown.
  var capabilities: TusCapabilities? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}

/// Our identity to a server, for the time of one delivery.
struct TusIdentity: Sendable {
  /// The user and the password.
  let credentials: HTTPCredentials?
  /// The fields that prove our identity by a token.
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
