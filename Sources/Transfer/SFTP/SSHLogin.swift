/// A user's login at an SSH server; printing the login does not show the password.
package struct SSHLogin: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The user's proof of identity.
  package enum Proof: Sendable, Hashable {
    /// The path of a private key without a passphrase.
    case privateKey(path: String)
    /// The password, also for a server that asks with `keyboard-interactive`.
    case password(String)
  }

  /// The user's name.
  package var user: String
  /// The user's proof of identity.
  package var proof: Proof
  /// The server's accepted host key; a server with another key gets no login.
  package var hostKey: SSHHostKey

  package init(user: String, proof: Proof, hostKey: SSHHostKey) {
    self.user = user
    self.proof = proof
    self.hostKey = hostKey
  }

  /// The user's name, without the password.
  package var description: String { "user \"\(user)\"" }

  /// A mirror with the user's name only, so that a dump does not show the password.
  package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// The host key that an SSH server must have.
package enum SSHHostKey: Sendable, Hashable {
  /// The key's SHA-256 in Base64 without padding, 43 characters.
  case fingerprint(String)
  /// The path of a file in the format of OpenSSH's `known_hosts`, which holds the key.
  case knownHosts(path: String)
}
