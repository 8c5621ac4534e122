public import Devices

/// A lamp on a plain GPIO line, commonly through a relay or a transistor; lit while it is active.
public struct GPIOLineLamp: Lamp {
  private let light: GPIOLineIndicator

  /// Makes a lamp; the line is taken by the first ``turn(on:)``.
  ///
  /// - Parameters:
  ///   - address: where the line is.
  ///   - isActiveLow: whether the lamp is lit while the line is low.
  public init(_ address: GPIOLineAddress, isActiveLow: Bool = false) {
    light = GPIOLineIndicator(address, isActiveLow: isActiveLow)
  }

  /// The line as people know it, for example `LAMP` or `pinctrl-bcm2835 line 23`.
  public var name: String { light.name }

  /// Drives the line.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  public func turn(on isOn: Bool) async throws(DeviceError) {
    try await light.show(isOn ? .on : .off)
  }

  /// Drives the line inactive and gives it back; the next ``turn(on:)`` takes it again.
  public func release() async {
    await light.release()
  }
}
