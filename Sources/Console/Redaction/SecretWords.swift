/// The names and forms that identify secrets.
enum SecretWords {
  /// The parts that identify a secret's name, without hyphens, underscores and dots.
  private static let parts = [
    "password", "passwd", "passphrase", "passwort", "secret", "token", "credential", "apikey",
    "accesskey", "privatekey", "signingkey", "encryptionkey", "authorization", "cookie",
    "signature", "bearer",
  ]
  /// The names that are secret only as a whole.
  private static let names: Set<String> = ["pwd", "psk", "pass", "auth", "pin", "wpapsk"]
  /// The known prefixes of tokens.
  private static let beginnings = [
    "platen_", "AKIA", "ASIA", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-",
    "sk-", "eyJ",
  ]
  /// The first folders of the paths of a Linux system and of the API.
  private static let roots: Set<String> = [
    "base", "bin", "boot", "dev", "etc", "home", "lib", "media", "metrics", "mnt", "opt", "proc",
    "root", "run", "sbin", "srv", "sys", "tmp", "usr", "v1", "var",
  ]

  /// Returns whether a name belongs to a secret.
  static func holdsSecret(_ name: some StringProtocol) -> Bool {
    var plain = ""
    for byte in name.utf8 where !"-_.".utf8.contains(byte) {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      plain.unicodeScalars.append(UnicodeScalar(isUpper ? byte | 0x20 : byte))
    }
    return names.contains(plain) || parts.contains { plain.contains($0) }
  }

  /// Returns whether a value under a secret's name only refers to the secret.
  ///
  /// References are `credential:NAME`, and the path of a file under a name that ends with `file` or
  /// `path`.
  static func isReference(_ value: some StringProtocol, under name: some StringProtocol) -> Bool {
    let scheme = "credential:"
    if value.hasPrefix(scheme) {
      let rest = value.dropFirst(scheme.count)
      return !rest.isEmpty && rest.utf8.count <= 64 && rest.utf8.allSatisfy(isWordByte)
    }
    let name = name.lowercased()
    guard name.hasSuffix("file") || name.hasSuffix("path") else { return false }
    return value.hasPrefix("/") && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "@") }
  }

  /// Returns whether a run of letters, digits and `+ / _ - =` looks like a key.
  ///
  /// A key has a known prefix and at least 12 characters. Otherwise a key has at least 20
  /// characters with lowercase letters, capital letters and digits. Hexadecimal numbers do not
  /// count as keys, because checksums of files look the same.
  static func looksLikeKey(_ run: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: run, as: UTF8.self)
    if run.count >= 12, beginnings.contains(where: { text.hasPrefix($0) }) { return true }
    guard run.count >= 20 else { return false }
    let segments = run.split(separator: UInt8(ascii: "/"))
    if run.first == UInt8(ascii: "/"), let first = segments.first,
      roots.contains(String(decoding: first, as: UTF8.self))
    {
      return segments.contains { $0.count >= 20 && isMixed($0) }
    }
    return isMixed(run)
  }

  private static func isMixed(_ run: ArraySlice<UInt8>) -> Bool {
    run.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      && run.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      && run.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Returns whether a byte may be part of a name.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
