/// The light for the pages: on or off, on a GPIO line or as a kernel LED.
///
/// The time that it must be lit before an exposure depends on the rig and is part of the
/// configuration.
package protocol Lamp: Sendable {
  /// The lamp's display name, for example `LAMP` or `rig:white:lamp`.
  var name: String { get }

  /// Lights the lamp or turns it off; a repeated call changes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  func turn(on isOn: Bool) async throws(DeviceError)

  /// Turns the lamp off and releases it; the next ``turn(on:)`` takes it again.
  func release() async
}
