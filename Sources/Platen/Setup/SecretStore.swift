import Devices
import Glibc

/// The place of secrets on the rig: systemd's credentials, or else files of their own.
struct SecretStore: Sendable {
  /// The directory of the configuration file, whose group may read the files.
  let directory: String
  let machine: SetupMachine

  private var files: String { directory + "/secrets" }

  /// Stores a secret durably.
  ///
  /// - Returns: the place for the configuration: `credential:NAME`, or the path of a file.
  /// - Throws: `DeviceError` when no file can be written; an earlier secret then stays.
  func keep(_ secret: SetupSecret) async throws(DeviceError) -> String {
    let bytes = Array(secret.value.utf8)
    if let encrypted = await machine.encrypt(secret.name, bytes),
      (try? keep(encrypted, as: secret.name)) != nil
    {
      // The secret of an earlier setup must not lie about in the clear.
      unlink(files + "/" + secret.name)
      return "credential:" + secret.name
    }
    try make(files, like: FileOwner(of: directory)?.with(0o770))
    try DurableFile(directory: files, name: secret.name).replace(
      bytes, owner: FileOwner(of: files)?.with(0o640))
    return files + "/" + secret.name
  }

  private func keep(_ encrypted: [UInt8], as name: String) throws(DeviceError) {
    try make(machine.credentialDirectory, like: nil)
    let root = FileOwner(of: machine.credentialDirectory)?.with(0o600)
    try DurableFile(directory: machine.credentialDirectory, name: name).replace(
      encrypted, owner: root)
  }

  /// Makes a directory unless there is one; a link in its place is refused.
  private func make(_ path: String, like owner: FileOwner?) throws(DeviceError) {
    if mkdir(path, 0o700) == 0 {
      guard let owner else { return }
      if chown(path, owner.userID, owner.groupID) != 0 { _ = chown(path, uid_t.max, owner.groupID) }
      _ = chmod(path, owner.permissions)
      return
    }
    let number = errno
    // Others may write in the directory of the configuration.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DeviceError(
        .inputOutput, device: path, problem: "cannot be made",
        cause: String(cString: strerror(number == EEXIST ? errno : number)))
    }
    close(descriptor)
  }
}
