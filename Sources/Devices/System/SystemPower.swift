/// The power of the whole machine.
///
/// Power-off and reboot return when the request has been accepted. The machine goes down some time
/// after that, and the calling process is told to end like any other.
package protocol SystemPower: Sendable {
  /// Powers the machine off.
  ///
  /// - Throws: ``DeviceError``: `permissionDenied`, `absent` when no service takes the request,
  ///   `timedOut`, or `inputOutput` with the reason of the refusal.
  func powerOff() async throws(DeviceError)

  /// Reboots the machine.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  func restart() async throws(DeviceError)

  /// Checks whether ``powerOff()`` would be allowed now, without powering off.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  func checkPowerOff() async throws(DeviceError)

  /// Checks whether ``restart()`` would be allowed now, without a reboot.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  func checkRestart() async throws(DeviceError)
}
