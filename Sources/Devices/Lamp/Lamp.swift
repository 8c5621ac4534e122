/// The light that a page is pictured by: on or off, on a GPIO line or as a kernel LED.
///
/// How long before an exposure it has to be lit is a matter of the rig, so it is in the
/// configuration and not here.
public protocol Lamp: Sendable {
  /// The lamp as people know it, for example `LAMP` or `rig:white:lamp`.
  var name: String { get }

  /// Lights the lamp or turns it off; the same again changes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  func turn(on isOn: Bool) async throws(DeviceError)

  /// Turns the lamp off and gives it back; the next ``turn(on:)`` takes it again.
  func release() async
}
