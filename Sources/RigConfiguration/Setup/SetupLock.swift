import Devices
import Glibc

/// The lock that keeps other setups away while one runs (`flock`).
///
/// Another setup would take a secret that was stored, and is not named yet, for a forgotten one.
struct SetupLock {
  private let descriptor: Int32

  /// Locks the directory of a configuration.
  ///
  /// - Throws: `DeviceError`, code `busy` while another setup runs, otherwise `inputOutput`.
  init(directory: String) throws(DeviceError) {
    descriptor = SharedDirectory.descriptor(of: directory)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
    let error = SystemError.last
    if descriptor >= 0 { close(descriptor) }
    let isBusy = error.number == EWOULDBLOCK
    throw DeviceError(
      isBusy ? .busy : .inputOutput, device: directory, problem: "cannot be locked",
      cause: isBusy ? "another setup is running" : error.description)
  }

  /// Lets other setups run again.
  func end() { close(descriptor) }
}
