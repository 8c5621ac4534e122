/// The devices of a rig, simulated or real.
package struct Board: Sendable {
  /// The cameras.
  package var cameras: any CameraSystem
  /// The buttons' lines by the buttons' names; empty when presses come only through the API.
  package var buttons: [String: any ButtonLine]
  /// The accelerometer; `nil` when there is none, and pictures keep the orientation of the board.
  package var accelerometer: (any Accelerometer)?
  /// The lights by role; any may be missing.
  package var indicators: [IndicatorRole: any Indicator]
  /// The lamp that lights the pages; `nil` when there is none to switch.
  package var lamp: (any Lamp)?
  /// The lamps of brackets by their names.
  package var lamps: [String: any Lamp]
  /// The temperatures to watch.
  package var temperatureSensors: [any TemperatureSensor]
  /// The firmware's throttle flags; `nil` when they are not used.
  package var throttle: (any ThrottleSensor)?
  /// The machine's power; `nil` when the service may not power it off.
  package var power: (any SystemPower)?

  package init(
    cameras: any CameraSystem, buttons: [String: any ButtonLine],
    accelerometer: (any Accelerometer)?, indicators: [IndicatorRole: any Indicator],
    lamp: (any Lamp)? = nil, lamps: [String: any Lamp] = [:],
    temperatureSensors: [any TemperatureSensor],
    throttle: (any ThrottleSensor)? = nil, power: (any SystemPower)? = nil
  ) {
    self.cameras = cameras
    self.buttons = buttons
    self.accelerometer = accelerometer
    self.indicators = indicators
    self.lamp = lamp
    self.lamps = lamps
    self.temperatureSensors = temperatureSensors
    self.throttle = throttle
    self.power = power
  }
}
