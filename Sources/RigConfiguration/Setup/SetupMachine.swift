/// The parts of the machine that a setup uses besides files.
package struct SetupMachine: Sendable {
  /// Whether the process has the rights of root, which all keys and the credential store need.
  package var isRoot: Bool
  /// Returns whether the machine knows a time zone, for example `Europe/Paris`.
  package var isZone: @Sendable (String) -> Bool
  /// Sets the time zone; returns the problem in a sentence, or `nil` when the zone is set.
  package var setZone: @Sendable (String) async -> String?
  /// Encrypts a secret for a name; returns `nil` where the service could not get the credential.
  package var encrypt: @Sendable (_ name: String, _ secret: [UInt8]) async -> [UInt8]?
  /// Returns the path of the configuration for this model of board; `nil` without one.
  package var defaultConfiguration: @Sendable () async -> String?
  /// The directory of encrypted credentials that systemd searches (`ImportCredential=`).
  package var credentialDirectory = "/etc/credstore.encrypted"
  /// The directory of the unit's configuration, the only one whose secrets become credentials.
  package var configurationDirectory = "/etc/platen"
  /// The setup files on the boot partition, whose secrets stay while the files name them.
  package var setupFiles = ["/boot/firmware", "/boot"].map { $0 + "/" + Setup.fileName }
  /// Returns the end of a secret's name: 8 random digits.
  var suffix: @Sendable (_ secret: [UInt8]) -> String = { _ in
    let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  package init(
    isRoot: Bool, isZone: @escaping @Sendable (String) -> Bool,
    setZone: @escaping @Sendable (String) async -> String?,
    encrypt: @escaping @Sendable (_ name: String, _ secret: [UInt8]) async -> [UInt8]?,
    defaultConfiguration: @escaping @Sendable () async -> String?
  ) {
    self.isRoot = isRoot
    self.isZone = isZone
    self.setZone = setZone
    self.encrypt = encrypt
    self.defaultConfiguration = defaultConfiguration
  }
}

/// The result of a setup, for people.
package struct SetupOutcome: Sendable, Hashable {
  /// The kind of result, with the exit status of the program.
  package enum Kind: Int32, Sendable, Hashable {
    /// Everything was applied, now or earlier.
    case applied = 0
    /// A file could not be read or written, or a program failed.
    case failed = 1
    /// The setup itself is wrong, and nothing was changed.
    case refused = 78
  }

  /// The kind of result.
  package let kind: Kind
  /// Sentences for people, without any secret.
  package let lines: [String]

  package init(_ kind: Kind, _ lines: [String]) { (self.kind, self.lines) = (kind, lines) }
}
