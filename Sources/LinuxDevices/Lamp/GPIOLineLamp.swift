package import Devices

/// A lamp on a plain GPIO line, commonly through a relay or a transistor; lit while it is active.
package struct GPIOLineLamp: Lamp {
  private let light: GPIOLineIndicator

  /// Makes a lamp; the line is taken by the first ``turn(on:)``.
  ///
  /// - Parameters:
  ///   - address: the address of the line.
  ///   - isActiveLow: whether the lamp is lit while the line is low.
  package init(_ address: GPIOLineAddress, isActiveLow: Bool = false) {
    light = GPIOLineIndicator(address, isActiveLow: isActiveLow)
  }

  /// The line's display name, for example `LAMP` or `pinctrl-bcm2835 line 23`.
  package var name: String { light.name }

  /// Drives the line.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  package func turn(on isOn: Bool) async throws(DeviceError) {
    try await light.show(isOn ? .on : .off)
  }

  /// Drives the line inactive and releases it; the next ``turn(on:)`` takes it again.
  package func release() async {
    await light.release()
  }
}
