import Devices
import Glibc

extension SimulatedCamera.RunningStream {
  /// Paints the raw frame of a processed one.
  ///
  /// The scene is seen in its light, and the properties are those that the camera's white balance
  /// gives.
  ///
  /// - Returns: the properties; `nil` for a stream without raw frames.
  mutating func paintRaw(
    of scene: PageScene, _ frame: SimulatedSensor.Frame, in light: SceneLight, seed: UInt64,
    number: UInt64, slot: Int, into memory: BufferMemory
  ) -> RawProperties? {
    guard let format = rawPainter?.format.format,
      let developer = RawMosaicPainter(format, gains: frame.whiteBalanceGains)
    else { return nil }
    var brightness = light.brightness(of: frame.exposureDuration, gain: frame.analogueGain)
    // Steps of an eighth of an exposure value let frames of the plain page share a painted one.
    if scene.linear == nil { brightness = exp2((log2(max(brightness, 1e-9)) * 8).rounded() / 8) }
    rawPainter?.paint(
      RawScenePainter.Subject(
        scene: scene, gains: light.whiteBalanceGains, brightness: brightness,
        analogueGain: frame.analogueGain),
      seed: seed, number: number, buffer: slot, into: memory)
    return developer.properties
  }
}
