public import Devices

/// A lamp of the kernel's LED class (`/sys/class/leds`), lit with its full brightness.
///
/// Like a light that shows a state it stays lit when the process dies; what stops the service must
/// turn it off then.
public struct ClassLEDLamp: Lamp {
  private let light: ClassLEDIndicator

  /// Makes a lamp; nothing is opened before ``turn(on:)``.
  ///
  /// - Parameters:
  ///   - name: the light's name below `/sys/class/leds`.
  ///   - sysfs: where sysfs is.
  public init(name: String, sysfs: String = "/sys") {
    light = ClassLEDIndicator(name: name, sysfs: sysfs)
  }

  /// The lamp as the kernel names it, for example `rig:white:lamp`.
  public var name: String { light.name }

  /// Writes `brightness`.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `inputOutput`.
  public func turn(on isOn: Bool) async throws(DeviceError) {
    try await light.show(isOn ? .on : .off)
  }

  /// Turns the lamp off; the next ``turn(on:)`` takes it again.
  public func release() async {
    await light.release()
  }
}
