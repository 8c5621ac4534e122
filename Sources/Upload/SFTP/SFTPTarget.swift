import Transfer

/// A target in a directory of a server with SSH, over SFTP version 3.
///
/// An item is sent as `.platen-<id>.part` beside its own name, read back and compared, and only
/// then renamed. Version 3 refuses to rename to a name that exists, so an existing file is never
/// replaced. If the answer to a rename was lost, the next attempt finds the file and compares it.
///
/// libcurl cannot ask the server for an `fsync`. A power cut of the server can therefore damage a
/// file whose receipt the rig has.
package struct SFTPTarget: UploadTarget {
  private let configuration: SFTPConfiguration
  private let location: SFTPLocation
  private let proof: SFTPConfiguration.Proof
  private let hostKey: SSHHostKey
  private let clients = ClientPool { SFTPClient() }
  private let hasher = FileHasher()
  private let wallNanoseconds: @Sendable () -> Int64

  /// Makes a target; nothing is connected yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the settings cannot be used.
  package init(
    _ configuration: SFTPConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    guard let location = SFTPLocation(configuration.url) else {
      throw DeliveryFailure(
        unusableURL: configuration.url,
        expected: "expected sftp, a host, a directory, and no user, password, query or fragment")
    }
    guard let proof = configuration.proof, let hostKey = configuration.hostKey else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: "\"\(location.url())\" cannot be used without a secret and a host key")
    }
    self.configuration = configuration
    self.location = location
    self.proof = proof
    self.hostKey = hostKey
    self.wallNanoseconds = wallNanoseconds
  }

  /// The target's URL.
  package var description: String { location.url() }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  package func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    guard let name = CollectionURL.parts(ofName: delivery.remoteName),
      let part = CollectionURL.parts(ofName: ".platen-\(delivery.id).part"), part.count == 1
    else {
      throw DeliveryFailure(badName: delivery.remoteName, cannotBe: "a path on a server")
    }
    let login = try login()
    return try await clients.withClient { client throws(DeliveryFailure) in
      try await SFTPDelivery(
        item: delivery, client: client, login: login, connection: configuration.connection,
        location: location, name: name, part: name.dropLast() + part, hasher: hasher,
        wallNanoseconds: wallNanoseconds
      ).run()
    }
  }

  /// Reads the secret, each time, so that a changed one is used without a restart.
  private func login() throws(DeliveryFailure) -> SSHLogin {
    switch proof {
    case .password(let file):
      return SSHLogin(
        user: configuration.user, proof: .password(try file.read()), hostKey: hostKey)
    case .privateKey(let file):
      // libcurl reads the file, but does not tell why it cannot.
      _ = try file.read()
      return SSHLogin(
        user: configuration.user, proof: .privateKey(path: file.path), hostKey: hostKey)
    }
  }
}
