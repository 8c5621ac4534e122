/// The power of the whole machine.
///
/// Both calls return when the request has been taken. The machine goes down some time after that,
/// and the calling process is told to end like any other.
public protocol SystemPower: Sendable {
  /// Switches the machine off.
  ///
  /// - Throws: ``DeviceError``: `permissionDenied`, `absent` when there is nobody to ask,
  ///   `timedOut`, or `inputOutput` with the reason of whoever refused.
  func powerOff() async throws(DeviceError)

  /// Starts the machine anew.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  func restart() async throws(DeviceError)

  /// Asks whether ``powerOff()`` would be allowed now; nothing is done.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  func checkPowerOff() async throws(DeviceError)

  /// Asks whether ``restart()`` would be allowed now; nothing is done.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  func checkRestart() async throws(DeviceError)
}
