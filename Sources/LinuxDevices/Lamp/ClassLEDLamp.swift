package import Devices

/// A lamp of the kernel's LED class (`/sys/class/leds`), lit with its full brightness.
///
/// Like an indicator, the lamp stays lit when the process dies; the service's supervisor must turn
/// it off then.
package struct ClassLEDLamp: Lamp {
  private let light: ClassLEDIndicator

  /// Makes a lamp; nothing is opened before ``turn(on:)``.
  ///
  /// - Parameters:
  ///   - name: the light's name below `/sys/class/leds`.
  ///   - sysfs: the path of sysfs.
  package init(name: String, sysfs: String = "/sys") {
    light = ClassLEDIndicator(name: name, sysfs: sysfs)
  }

  /// The lamp's name in the kernel, for example `rig:white:lamp`.
  package var name: String { light.name }

  /// Writes `brightness`.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `inputOutput`.
  package func turn(on isOn: Bool) async throws(DeviceError) {
    try await light.show(isOn ? .on : .off)
  }

  /// Turns the lamp off; the next ``turn(on:)`` takes it again.
  package func release() async {
    await light.release()
  }
}
