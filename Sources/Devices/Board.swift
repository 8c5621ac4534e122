/// What is wired where: the devices of one rig, simulated or real.
public struct Board: Sendable {
  /// The cameras.
  public var cameras: any CameraSystem
  /// The shutter button's line; `nil` when presses come only through the API.
  public var shutter: (any ButtonLine)?
  /// The accelerometer; `nil` when there is none, and pictures keep the orientation of the board.
  public var accelerometer: (any Accelerometer)?
  /// The lights by what they are for; any may be missing.
  public var indicators: [IndicatorRole: any Indicator]
  /// The temperatures to watch.
  public var temperatureSensors: [any TemperatureSensor]

  /// Makes a board of devices.
  public init(
    cameras: any CameraSystem, shutter: (any ButtonLine)?, accelerometer: (any Accelerometer)?,
    indicators: [IndicatorRole: any Indicator], temperatureSensors: [any TemperatureSensor]
  ) {
    self.cameras = cameras
    self.shutter = shutter
    self.accelerometer = accelerometer
    self.indicators = indicators
    self.temperatureSensors = temperatureSensors
  }
}
