/// What is wired where: the devices of one rig, simulated or real.
public struct Board: Sendable {
  /// The cameras.
  public var cameras: any CameraSystem
  /// The buttons' lines by the buttons' names; empty when presses come only through the API.
  public var buttons: [String: any ButtonLine]
  /// The accelerometer; `nil` when there is none, and pictures keep the orientation of the board.
  public var accelerometer: (any Accelerometer)?
  /// The lights by what they are for; any may be missing.
  public var indicators: [IndicatorRole: any Indicator]
  /// The light that pages are pictured by; `nil` when there is none to switch.
  public var lamp: (any Lamp)?
  /// The temperatures to watch.
  public var temperatureSensors: [any TemperatureSensor]
  /// The firmware's throttle flags; `nil` when nobody asks for them.
  public var throttle: (any ThrottleSensor)?
  /// The machine's power; `nil` when the service may not switch it off.
  public var power: (any SystemPower)?

  /// Makes a board of devices.
  public init(
    cameras: any CameraSystem, buttons: [String: any ButtonLine],
    accelerometer: (any Accelerometer)?, indicators: [IndicatorRole: any Indicator],
    lamp: (any Lamp)? = nil, temperatureSensors: [any TemperatureSensor],
    throttle: (any ThrottleSensor)? = nil, power: (any SystemPower)? = nil
  ) {
    self.cameras = cameras
    self.buttons = buttons
    self.accelerometer = accelerometer
    self.indicators = indicators
    self.lamp = lamp
    self.temperatureSensors = temperatureSensors
    self.throttle = throttle
    self.power = power
  }
}
