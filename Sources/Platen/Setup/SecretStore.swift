import Devices

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
    if let encrypted = await machine.encrypt(name, bytes),
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
}
