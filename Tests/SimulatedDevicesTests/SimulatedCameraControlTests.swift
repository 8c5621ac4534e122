import Devices
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedCameraControlTests {
  private let frame = Duration.milliseconds(40)

  /// Returns the next frames of a running camera.
  private func frames(
    _ count: Int, of events: inout CameraEvents.Iterator, on bench: CameraBench,
    after step: Duration = .milliseconds(40)
  ) async throws -> [FrameInfo] {
    var found: [FrameInfo] = []
    while found.count < count {
      guard case .frame(let info)? = await bench.next(&events, after: step) else {
        throw DeviceError(.inputOutput, device: "test", problem: "got no frame")
      }
      found.append(info)
    }
    return found
  }

  /// Returns the mean luma of a leased frame's page, without the frame counter.
  private func brightness(of id: UInt64, from camera: any Camera) async throws -> Double {
    let lease = try #require(await camera.lease(id))
    let format = lease.format
    return try lease.withBytes { bytes in
      var sum = 0
      let rows = format.size.height * 2 / 3
      for row in 0..<rows {
        for column in 0..<format.size.width { sum += Int(bytes[row * format.bytesPerRow + column]) }
      }
      return Double(sum) / Double(rows * format.size.width)
    }
  }

  @Test func `the exposure follows the light over some frames and reports its state`() async throws
  {
    let bench = CameraBench(model: SimulatedCameraModel(startUpFrames: 0, settlingFrames: 4))
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    let first = try await frames(1, of: &events, on: bench, after: .milliseconds(160))
    #expect(first[0].exposureState == .converged)
    let right = try await brightness(of: first[0].id, from: camera)
    bench.world.expose(for: .milliseconds(20), gain: 3)
    var later: [FrameInfo] = []
    var lumas: [Double] = []
    for _ in 0..<10 {
      later += try await frames(1, of: &events, on: bench)
      lumas.append(try await brightness(of: later[later.count - 1].id, from: camera))
    }
    let states = later.map(\.exposureState)
    #expect(states.filter { $0 == .searching }.count == 3)
    #expect(states.last == .converged)
    let exposures = later.compactMap { $0.exposureDuration?.inMilliseconds }
    #expect(exposures == exposures.sorted())
    #expect(exposures.last == 20)
    #expect(later.last?.analogueGain == 3)
    // A frame with the old values in a quarter of the light is dark, and the last frame is right.
    #expect(lumas.contains { $0 < right - 60 })
    #expect(abs(lumas[9] - right) < 2)
    await camera.close()
  }

  @Test func `a locked exposure stays in another light`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = try await frames(1, of: &events, on: bench, after: .milliseconds(160))
    try await camera.setControls(
      CameraControls(
        exposureMode: .locked, whiteBalanceMode: .locked, focusMode: .locked(lensPosition: nil)))
    bench.world.expose(for: .milliseconds(5), gain: 1)
    bench.world.illuminate(
      whiteBalanceGains: WhiteBalanceGains(red: 1, blue: 3), colorTemperature: 2800)
    bench.world.placePage(sharpAt: 4)
    let last = try #require(try await frames(12, of: &events, on: bench).last)
    #expect(last.exposureDuration == .milliseconds(10))
    #expect(last.analogueGain == 1.5)
    #expect(last.exposureState == .locked)
    #expect(last.whiteBalanceGains == WhiteBalanceGains(red: 1.8, blue: 1.6))
    #expect(last.lensPosition == 2)
    #expect(last.focusState == .idle)
    // Three times too bright: the sheet is white all over.
    let bright = try await brightness(of: last.id, from: camera)
    #expect(bright > 210)
    // With its own controls again, the camera finds all values.
    try await camera.setControls(CameraControls())
    var found = try #require(try await frames(14, of: &events, on: bench).last)
    // A frame or two may have begun before the change; lens and gains come with their delay.
    for _ in 0..<2 where found.lensPosition != 4 || found.whiteBalanceGains?.red != 1 {
      found = try #require(try await frames(1, of: &events, on: bench).last)
    }
    #expect(found.exposureDuration == .milliseconds(5))
    #expect(found.exposureState == .converged)
    #expect(found.whiteBalanceGains == WhiteBalanceGains(red: 1, blue: 3))
    #expect(found.colorTemperature == 2800)
    #expect(found.lensPosition == 4)
    #expect(found.focusState == .focused)
    await camera.close()
  }

  @Test func `simultaneous changes of the light are all noticed`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = try await frames(1, of: &events, on: bench, after: .milliseconds(160))
    bench.world.expose(for: .milliseconds(5), gain: 1)
    // The camera looks between the changes, while its clock stands still.
    await (try #require(camera as? SimulatedCamera)).step()
    bench.world.placePage(sharpAt: 4)
    let last = try #require(try await frames(16, of: &events, on: bench).last)
    #expect(last.exposureDuration == .milliseconds(5))
    #expect(last.lensPosition == 4)
    await camera.close()
  }

  @Test func `a start with fixed values has no start-up frames and uses them at once`()
    async throws
  {
    let bench = CameraBench(model: SimulatedCameraModel(startUpFrames: 6))
    let camera = try await bench.system.open(bench.id)
    let stream = try await camera.start(
      StreamConfiguration(
        size: CameraBench.size, frameRate: 25,
        controls: CameraControls(
          exposureMode: .custom(duration: .milliseconds(7), gain: 2.5),
          whiteBalanceMode: .custom(WhiteBalanceGains(red: 2, blue: 1)),
          focusMode: .locked(lensPosition: 3))))
    var events = stream.events.makeAsyncIterator()
    let first = try await frames(1, of: &events, on: bench, after: .milliseconds(160))[0]
    #expect(first.sequence == 0)
    #expect(first.exposureDuration == .milliseconds(7))
    #expect(first.analogueGain == 2.5)
    #expect(first.exposureState == .locked)
    #expect(first.whiteBalanceGains == WhiteBalanceGains(red: 2, blue: 1))
    #expect(first.lensPosition == 3)
    await camera.close()
  }

  @Test func `a long exposure makes frames longer`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = try await frames(1, of: &events, on: bench, after: .milliseconds(160))
    try await camera.setControls(
      CameraControls(exposureMode: .custom(duration: .milliseconds(100), gain: 1)))
    let last = try #require(
      try await frames(8, of: &events, on: bench, after: .milliseconds(110)).last)
    #expect(last.exposureDuration == .milliseconds(100))
    #expect(last.frameDuration == .microseconds(100_500))
    #expect(last.analogueGain == 1)
    await camera.close()
  }

  @Test func `zoom crops the scene`() async throws {
    let bench = CameraBench()
    bench.world.showPage(77)
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = try await frames(1, of: &events, on: bench, after: .milliseconds(160))
    try await camera.setControls(CameraControls(videoZoomFactor: 1.2))
    let last = try #require(try await frames(6, of: &events, on: bench).last)
    #expect(last.videoZoomFactor == 1.2)
    #expect(last.crop?.size == FrameSize(width: 3840, height: 2160))
    #expect(last.crop?.left == 384)
    let lease = try #require(await camera.lease(last.id))
    #expect(try PageSceneReader.read(lease).page == 77)
    // A reader without the zoom looks in the wrong place.
    let format = lease.format
    let plain = try lease.withBytes {
      PageSceneReader(size: format.size).read(luma: $0, bytesPerRow: format.bytesPerRow)
    }
    #expect(plain.page == nil)
    #expect(plain.frameNumber == UInt32(last.id))
    await camera.close()
  }

  @Test func `controls of the image change the picture and go back to their defaults`()
    async throws
  {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    let first = try await frames(1, of: &events, on: bench, after: .milliseconds(160))[0]
    let usual = try await brightness(of: first.id, from: camera)
    let rows: [(image: [ImageControl: Double], luma: Double, tolerance: Double)] = [
      ([.brightness: -0.25], usual - 64, 8), ([.exposureCompensation: -1], usual / 2, 4),
      ([.contrast: 0], 128, 4), ([.saturation: 0, .sharpness: 2], usual, 1), ([:], usual, 1),
    ]
    for (image, expected, tolerance) in rows {
      try await camera.setControls(CameraControls(image: image))
      let last = try #require(try await frames(6, of: &events, on: bench).last)
      let luma = try await brightness(of: last.id, from: camera)
      #expect(abs(luma - expected) < tolerance, "\(image): \(luma), not \(expected)")
    }
    await camera.close()
  }

  @Test func `a look without saturation is gray`() {
    var look = SceneLook()
    let color = SceneColor(luma: 100, blue: 90, red: 180)
    #expect(look.seen(color) == color)
    look.saturation = 0
    #expect(look.seen(color) == SceneColor(luma: 100))
    look.contrast = 2
    look.brightness = 1
    #expect(look.seen(color).luma == 255)
  }

  @Test func `a fixed exposure is not compensated`() {
    let model = SimulatedCameraModel()
    let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    for mode in [nil, CameraControls.ExposureMode.custom(duration: .milliseconds(10), gain: 1.5)] {
      var sensor = SimulatedSensor(
        model: model, mode: SimulatedCameraModel.imx708Modes[1], frameDuration: .milliseconds(40),
        light: SceneLight(),
        controls: CameraControls(exposureMode: mode, image: [.exposureCompensation: 1]), at: start)
      let frames = sensor.takeDelivered(by: start.advanced(by: .seconds(1)))
      let looks = frames.map { SceneLook($0, in: SceneLight()) }
      #expect(looks.last?.brightnessStep == (mode == nil ? 8 : 0))
    }
  }

  @Test func `a misplaced lens blurs the fine strokes`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    let sharp = try await frames(1, of: &events, on: bench, after: .milliseconds(160))[0]
    let inFocus = try await brightness(of: sharp.id, from: camera)
    try await camera.setControls(CameraControls(focusMode: .locked(lensPosition: 5)))
    let off = try #require(try await frames(5, of: &events, on: bench).last)
    let outOfFocus = try await brightness(of: off.id, from: camera)
    #expect(outOfFocus > inFocus + 2)
    // A single scan finds the focus again and then rests, even if the page is moved.
    try await camera.setControls(CameraControls(focusMode: .autoFocus))
    let scan = try await frames(12, of: &events, on: bench)
    #expect(scan.contains { $0.focusState == .scanning })
    #expect(scan.last?.focusState == .focused)
    #expect(scan.last?.lensPosition == 2)
    bench.world.placePage(sharpAt: 3)
    let rest = try await frames(12, of: &events, on: bench)
    #expect(rest.last?.lensPosition == 2)
    await camera.close()
  }

  /// The right half of an open book is nearer, wherever the turned camera sees it.
  @Test func `a scan of a place finds the distance there`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    bench.world.show(LinearScene(.page, depth: 1))
    _ = try await frames(1, of: &events, on: bench, after: .milliseconds(160))
    let rightHalf: [(turn: QuarterTurn, point: FocusPoint)] = [
      (.none, FocusPoint(x: 0.9, y: 0.1)), (.clockwise90, FocusPoint(x: 0.9, y: 0.1)),
      (.half, FocusPoint(x: 0.1, y: 0.9)),
    ]
    for (turn, point) in rightHalf {
      bench.world.turn(to: turn)
      try await camera.setControls(CameraControls(focusMode: .autoFocusAtPoint(point)))
      let near = try await frames(12, of: &events, on: bench).last
      #expect(near?.focusState == .focused && near?.lensPosition == 3, "\(turn)")
    }
    let left = FocusPoint(x: 0.9, y: 0.9)
    try await camera.setControls(CameraControls(focusMode: .autoFocusAtPoint(left)))
    #expect(try await frames(12, of: &events, on: bench).last?.lensPosition == 2)
    await camera.close()
  }

  @Test func `exposures avoid the lamps' flicker`() {
    func exposure(
      _ light: SceneLight, _ flicker: CameraControls.FlickerAvoidance
    ) -> (duration: Duration, gain: Double) {
      light.exposure(with: CameraControls(flickerAvoidance: flicker))
    }
    let light = SceneLight(exposureDuration: .milliseconds(25), gain: 2)
    let at50 = exposure(light, .hertz50)
    #expect(at50.duration == .milliseconds(20))
    #expect(abs(at50.gain - 2.5) < 1e-9)
    #expect(exposure(light, .hertz60).duration == .microseconds(24_999))
    #expect(exposure(light, .off).duration == .milliseconds(25))
    let bright = SceneLight(exposureDuration: .milliseconds(3), gain: 1)
    #expect(exposure(bright, .hertz50).duration == .milliseconds(3))
  }

  @Test func `a camera without controls refuses all and reports none`()
    async throws
  {
    let bench = CameraBench(model: .withoutControls())
    let (camera, stream) = try await bench.start()
    let capabilities = await camera.capabilities
    #expect(capabilities.exposureModes.isEmpty && capabilities.focusModes.isEmpty)
    let error = await #expect(throws: DeviceError.self) {
      try await camera.setControls(CameraControls(exposureMode: .locked))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.cause == "it has no exposure mode \"locked\"")
    try await camera.setControls(CameraControls())
    var events = stream.events.makeAsyncIterator()
    let info = try await frames(1, of: &events, on: bench, after: .milliseconds(160))[0]
    #expect(info.exposureState == nil && info.whiteBalanceGains == nil)
    #expect(info.focusState == nil && info.crop == nil && info.videoZoomFactor == nil)
    await camera.close()
  }

  @Test func `controls set before a start hold for the next start without any`() async throws {
    let bench = CameraBench()
    let camera = try await bench.system.open(bench.id)
    let controls = CameraControls(exposureMode: .custom(duration: .milliseconds(3), gain: 2))
    try await camera.setControls(controls)
    for wanted in [Duration.milliseconds(3), .milliseconds(10)] {
      let stream = try await camera.start(
        StreamConfiguration(size: CameraBench.size, frameRate: 25))
      var events = stream.events.makeAsyncIterator()
      let info = try await frames(1, of: &events, on: bench, after: .milliseconds(160))[0]
      // The second start uses the default controls again.
      #expect(info.exposureDuration == wanted)
    }
    await camera.close()
  }

  @Test(arguments: UInt64(1)...100) func `the sensor settles after any settings and light`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    let model = SimulatedCameraModel(settlingFrames: Int(random.next() % 8))
    var light = SceneLight()
    var sensor = SimulatedSensor(
      model: model, mode: SimulatedCameraModel.imx708Modes[1], frameDuration: .milliseconds(40),
      light: light, at: now)
    for _ in 0..<50 {
      now = now.advanced(by: .milliseconds(Int(random.next() % 200)))
      switch random.next() % 5 {
      case 0: sensor.set(CameraControls(exposureMode: .locked, whiteBalanceMode: .locked), at: now)
      case 1:
        sensor.set(
          CameraControls(
            exposureMode: .custom(
              duration: .milliseconds(1 + Int(random.next() % 30)),
              gain: 1 + Double(random.next() % 8))),
          at: now)
      case 2: sensor.set(CameraControls(focusMode: .autoFocus, videoZoomFactor: 2), at: now)
      default:
        light.exposureDuration = .milliseconds(1 + Int(random.next() % 30))
        light.gain = 1 + Double(random.next() % 8)
        light.whiteBalanceGains.red = 0.5 + Double(random.next() % 100) / 25
        light.lensPosition = Double(random.next() % 10)
        sensor.set(light, at: now)
      }
      _ = sensor.takeDelivered(by: now)
    }
    sensor.set(CameraControls(), at: now)
    let frames = sensor.takeDelivered(by: now.advanced(by: .seconds(2)))
    let last = frames[frames.count - 1]
    #expect(last.exposureState == .converged, "seed \(seed)")
    #expect(last.exposureDuration == light.exposureDuration, "seed \(seed)")
    #expect(abs(last.analogueGain - light.gain) < 1e-9, "seed \(seed)")
    #expect(last.whiteBalanceGains == light.whiteBalanceGains, "seed \(seed)")
    #expect(last.lensPosition == light.lensPosition, "seed \(seed)")
    #expect(last.focusState == .focused, "seed \(seed)")
    #expect(last.videoZoomFactor == 1, "seed \(seed)")
  }
}
