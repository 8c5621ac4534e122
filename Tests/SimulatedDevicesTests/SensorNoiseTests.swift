import Devices
import Testing

@testable import SimulatedDevices

/// A developed frame of 320 × 180 pixels.
struct DevelopedFrame {
  static let size = FrameSize(width: 320, height: 180)
  static let whole = PixelRectangle(left: 0, top: 0, right: 320, bottom: 180)

  let format: StreamFormat
  var bytes: [UInt8]

  init(as pixelFormat: PixelFormat, _ write: (StreamFormat, UnsafeMutableRawPointer) -> Void) {
    let format = StreamFormat(
      size: Self.size, pixelFormat: pixelFormat, bytesPerRow: pixelFormat == .rgb ? 960 : 320,
      colorSpace: .jpeg)
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { write(format, base) }
    }
    self.format = format
    self.bytes = bytes
  }

  /// Makes a frame of a scene without noise.
  init(
    _ scene: LinearScene, exposureValues: Int = 0, turn: QuarterTurn = .none,
    as pixelFormat: PixelFormat = .yuv420
  ) {
    var look = SceneLook()
    look.brightnessStep = 8 * exposureValues
    self.init(as: pixelFormat) { format, base in
      PageScene(page: 1, turn: turn, look: look, format: format, linear: scene).paint(on: base)
    }
  }

  /// Makes a frame of even gray light without noise.
  init(light: Float) {
    let samples = [Float](repeating: light, count: 3 * Self.size.area)
    self.init(as: .yuv420) { format, base in
      LinearPicture(size: Self.size, samples: samples)
        .develop(SceneLook(), format: format, into: base)
    }
  }

  /// Returns the frame with the noise of a gain and a frame number.
  func noisy(gain: Double, number: UInt32) -> DevelopedFrame {
    let grain = FrameGrain(SensorResponse(analogueGain: gain), seed: 3)
    return DevelopedFrame(as: .yuv420) { format, base in
      grain.copy(bytes, format: format, number: number, to: base)
    }
  }

  /// Returns the mean and the variance of the luma in a rectangle.
  func luma(in rectangle: PixelRectangle) -> (mean: Double, variance: Double) {
    var lumas: [Double] = []
    for y in rectangle.top..<rectangle.bottom {
      for x in rectangle.left..<rectangle.right { lumas.append(Double(bytes[y * 320 + x])) }
    }
    let mean = lumas.reduce(0, +) / Double(lumas.count)
    return (mean, lumas.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(lumas.count))
  }
}

@Suite struct SensorNoiseTests {
  /// Gains, and the read noise of each in electrons: 3 at gain 1, and 1.5 at gain 16.
  @Test(arguments: [(1.0, 3.0), (4, 1.626), (16, 1.499)])
  func `noise has the variance of its light and gain`(gain: Double, readNoise: Double) {
    let light = 0.2
    let clean = DevelopedFrame(light: Float(light))
    let frames = (0..<4).map { clean.noisy(gain: gain, number: $0).luma(in: DevelopedFrame.whole) }
    let measured = frames.map(\.variance).reduce(0, +) / 4
    // Shot noise and read noise, through the slope of sRGB, and the rounding to whole codes.
    let electrons = light * 8180 / gain
    let slope = (SRGBCurve.encoded(light + 1e-4) - SRGBCurve.encoded(light - 1e-4)) / 2e-4 * 255
    let codesPerElectron = slope * gain / 8180
    let expected =
      (electrons + readNoise * readNoise) * codesPerElectron * codesPerElectron + 1.0 / 12
    #expect(abs(measured / expected - 1) < 0.05, "\(measured), not \(expected)")
    #expect(abs(frames[0].mean - Double(clean.bytes[0])) < 0.2)
  }

  @Test func `noise is reproducible, independent from frame to frame, and not in full pixels`() {
    let clean = DevelopedFrame(light: 0.2)
    let first = clean.noisy(gain: 16, number: 1)
    let second = clean.noisy(gain: 16, number: 2)
    #expect(first.bytes == clean.noisy(gain: 16, number: 1).bytes)
    // The mean of two independent frames has half of the variance.
    var mean = first
    for (index, byte) in second.bytes.enumerated() {
      mean.bytes[index] = UInt8((Int(first.bytes[index]) + Int(byte)) / 2)
    }
    let ratio =
      mean.luma(in: DevelopedFrame.whole).variance / first.luma(in: DevelopedFrame.whole).variance
    #expect(abs(ratio - 0.5) < 0.05, "\(ratio)")
    let full = DevelopedFrame(light: 8)
    #expect(full.bytes[0] == 255 && full.noisy(gain: 16, number: 1).bytes == full.bytes)
  }

  @Test func `a bracket shows the leather and the filament that one exposure loses`() {
    typealias Contrast = LinearScene.Contrast
    let layout = PageSceneLayout(size: DevelopedFrame.size)
    let frames = [-4, 0, 4].map {
      DevelopedFrame(LinearScene(.contrast), exposureValues: $0).noisy(gain: 1, number: 1)
    }
    // The distance of two neighboring ribs in standard deviations of the noise.
    let visibility = frames.map { frame in
      let ribs = [0, 1].map { rib in
        frame.luma(
          in: layout.pixels(
            of: Contrast.leather.block(rib, of: Contrast.ribCount), turn: .none))
      }
      let deviation = ((ribs[0].variance + ribs[1].variance) / 2).squareRoot()
      return (ribs[0].mean - ribs[1].mean) / max(deviation, 1e-3)
    }
    #expect(visibility[1] < 1.5 && visibility[2] > 4, "\(visibility)")
    // The distance of the filament from the lamp's glass in codes.
    let steps = frames.map { frame in
      let glass = SceneRectangle(left: -0.47, top: -0.39, right: -0.44, bottom: -0.25)
      let means = [Contrast.filament, glass].map {
        frame.luma(in: layout.pixels(of: $0, turn: .none)).mean
      }
      return means[0] - means[1]
    }
    #expect(steps[1] == 0 && abs(steps[0] - 51) < 2, "\(steps)")
  }
}
