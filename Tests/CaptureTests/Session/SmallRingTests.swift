import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// A session with the default ring of four frames, at the default frame rate.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SmallRingTests {
  /// The pipeline has no delay, so the ring alone covers the time until a press is known.
  ///
  /// Two other pictures are in the making, and keep their frames. Four frames reach back for three
  /// and a half intervals, which are 116 ms.
  @Test(arguments: [FrameSelector.choiceTime, .milliseconds(114)])
  func `a press at every phase takes the nearest frame`(lateness: Duration) async throws {
    let model = SimulatedCameraModel(pipelineLatency: 0, startUpFrames: 0)
    let rig = VirtualSession(cameraModels: [model]) {
      $0.stream.ringFrameCount = 4
      $0.maximumCapturesInFlight = 3
    }
    await rig.wait()
    await rig.pass(.seconds(1))
    let stream = try #require(await rig.session.currentStatus.stream)
    #expect(stream.bufferCount == 8)
    let interval = try #require(stream.frameDuration)
    for phase in 0..<32 {
      await rig.harness.store.hold()
      var others: [Int64] = []
      for _ in 0..<2 {
        let time = rig.clock.now.advanced(by: .zero - FrameSelector.choiceTime)
        others.append(try await rig.session.press(at: time, source: .button))
      }
      let newest = try #require(rig.world.deliveredFrames().last)
      let known = newest.exposureMidpoint.advanced(by: interval * 6 + interval * phase / 32)
      await rig.pass(rig.clock.now.duration(to: known))
      let time = rig.clock.now.advanced(by: .zero - lateness)
      let third = try await rig.session.press(at: time, source: .button)
      await rig.harness.store.letGo()
      let session = rig.session
      for number in others + [third] {
        let record = try #require(await rig.during { await session.outcome(of: number) })
        guard case .stored = record.outcome else {
          Issue.record("phase \(phase): \(String(describing: record.outcome))")
          continue
        }
        let moment = record.press.time
        let best = try #require(
          rig.world.deliveredFrames().map {
            abs(moment.duration(to: $0.exposureMidpoint).inMilliseconds)
          }.min())
        let error = abs(try #require(record.selectionError).inMilliseconds)
        #expect(error <= best + 0.001, "phase \(phase): the frame is not the nearest")
      }
    }
    await rig.stop()
  }
}
