import Devices
import Foundation

/// The place of secrets on the rig: systemd's credentials, or else files of their own.
struct SecretStore: Sendable {
  /// The directory of the configuration file, whose group may read the files.
  let directory: String
  let machine: SetupMachine
  /// The directory of the files.
  var files: String { directory + "/secrets" }

  /// Stores a secret durably.
  ///
  /// The name ends with 8 random digits. So an earlier secret stays, which the present configuration
  /// or its history may name. A digest of the content would let a guess be confirmed.
  ///
  /// - Returns: the place for the configuration: `credential:NAME`, or the path of a file.
  /// - Throws: `DeviceError` when no file can be written.
  func keep(_ secret: SetupSecret) async throws(DeviceError) -> String {
    let bytes = Array(secret.value.utf8)
    let name = "\(secret.name).\(machine.suffix(bytes))"
    if hasCredentials, let encrypted = await machine.encrypt(name, bytes),
      (try? keep(encrypted, as: name)) != nil
    {
      return "credential:" + name
    }
    // Others may write in the directory of the configuration, so no link is followed.
    try SharedDirectory.make(files, like: FileOwner(of: directory)?.with(0o770))
    try DurableFile(directory: files, name: name).replace(
      bytes, owner: FileOwner(of: files)?.with(0o640))
    return files + "/" + name
  }

  private func keep(_ encrypted: [UInt8], as name: String) throws(DeviceError) {
    try SharedDirectory.make(machine.credentialDirectory, like: nil)
    let root = FileOwner(of: machine.credentialDirectory)?.with(0o600)
    try DurableFile(directory: machine.credentialDirectory, name: name).replace(
      encrypted, owner: root)
  }

  /// Whether the configuration is the one of the unit, which gets all credentials.
  private var hasCredentials: Bool { directory == machine.configurationDirectory }

  /// Removes the secrets that no text names any more.
  ///
  /// The texts are the files beside the configuration, all histories there, and the setup files. A
  /// link to a file is a text, too. If one of the texts cannot be read, everything stays. A secret
  /// that cannot be removed now is removed after a later setup. A secret that is a link is removed
  /// as a link; the file that the link leads to stays.
  func removeUnnamed() {
    guard let known = try? texts() else { return }
    for place in hasCredentials ? [files, machine.credentialDirectory] : [files] {
      for file in (try? Self.names(in: place)) ?? [] {
        guard let name = Self.secret(of: file), !known.contains(where: { $0.contains(name) })
        else { continue }
        try? DurableFile(directory: place, name: file).remove()
      }
    }
  }

  private func texts() throws -> [String] {
    let names = try Self.names(in: directory)
    var paths = machine.setupFiles + names.map { directory + "/" + $0 }.filter(Self.isRegular)
    for history in names where history.hasSuffix(".history") {
      let place = directory + "/" + history
      paths += try Self.names(in: place).map { place + "/" + $0 }
    }
    return try paths.map { path in
      let bytes = try DurableFile(at: path).read() ?? []
      // A damaged text names its secrets, too.
      return WrittenText.text(of: bytes)
        ?? String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Returns the name that ``keep(_:)`` gave to the secret of a file; `nil` for any other file.
  private static func secret(of file: String) -> String? {
    // The unit platen-credentials puts what cannot be decrypted aside.
    let aside = "unusable."
    let name = String(file.dropFirst(file.hasPrefix(aside) ? aside.count : 0))
    guard name.hasPrefix("platen."), let digits = name.split(separator: ".").last,
      digits.utf8.count == 8, digits.allSatisfy({ $0.isHexDigit && !$0.isUppercase })
    else { return nil }
    return name
  }

  private static func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory)
  }

  /// Returns whether a path is a file or a link to a file, and no directory.
  private static func isRegular(_ path: String) -> Bool {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
