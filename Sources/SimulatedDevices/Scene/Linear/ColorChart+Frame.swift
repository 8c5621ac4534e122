package import Devices

/// The chart before a simulated camera.
extension ColorChart {
  /// Returns a raw frame of the chart after the camera's automatics have settled.
  ///
  /// A patch has so many pixels that the noise of one frame hardly changes its mean. In frames of
  /// half the width, one in 26 made the black patch differ by more than 2 (CIEDE2000).
  ///
  /// - Returns: `nil` when the stream ends without a frame that can be leased.
  /// - Throws: a `DeviceError` of the simulated camera.
  package static func settledFrame() async throws -> FrameLease? {
    // A sanitizer needs seconds to paint a frame, so few settle the automatics.
    let model = SimulatedCameraModel(startUpFrames: 0, settlingFrames: 1)
    let world = SimulatedWorld(cameraModels: [model])
    world.show(LinearScene(.chart))
    let camera = try await SimulatedCameraSystem(world: world).open(model.id)
    var wanted = StreamConfiguration(size: FrameSize(width: 960, height: 540), frameRate: 10)
    wanted.wantsRaw = true
    let stream = try await camera.start(wanted)
    var settled: FrameLease?
    // White balance has no flag, so some more frames settle it.
    for await case .frame(let frame) in stream.events
    where frame.sequence >= 5 && frame.adjusting.isEmpty {
      settled = await camera.lease(frame.id)
      if settled != nil { break }
    }
    await camera.close()
    return settled
  }
}
