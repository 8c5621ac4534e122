import API
import Capture
import Devices
import Foundation
import Imaging
import PageSense

/// The API's requests to aim, focus and level the rig.
extension RigModel {
  func addAlignment(to operations: inout OperationHandlers) {
    operations.on(Operations.preview) { try await preview($0) }
    operations.on(Operations.previewPage) { try await previewPage() }
    operations.on(Operations.accelerometer) { await accelerometer() }
  }

  func preview(_ size: PreviewSize) async throws(APIError) -> PreviewReport {
    guard let previews else { throw Self.noPreviews }
    let look = try await previews.look()
    let picture = look.preview.picture.fitted(
      within: FrameSize(width: size.width, height: size.height), pixelAspect: size.pixelAspect)
    let info = look.info
    return PreviewReport(
      width: picture.size.width, height: picture.size.height,
      luma: Data(picture.luma).base64EncodedString(), frame: Int64(clamping: info.id),
      frameSize: SizeReport(width: look.frameSize.width, height: look.frameSize.height),
      captureAngle: look.captureAngle,
      ageMilliseconds: max(0, info.exposureMidpoint.duration(to: clock.now).inMilliseconds),
      focus: look.preview.focus, clippedHighlights: look.preview.clippedHighlights,
      clippedShadows: look.preview.clippedShadows,
      exposureMicroseconds: info.exposureDuration.map { $0.inMilliseconds * 1000 },
      gain: info.analogueGain.map { $0 * (info.digitalGain ?? 1) },
      colorTemperature: info.colorTemperature, diopters: info.lensPosition,
      focusState: info.focusState.map { Word($0) })
  }

  func previewPage() async throws(APIError) -> PagePreviewReport {
    guard let pages else { throw Self.noPreviews }
    let look = try await pages.look()
    return PagePreviewReport(
      look.shown, aim: look.aim.score, advice: look.aim.advice,
      frame: Int64(clamping: look.info.id),
      frameSize: SizeReport(width: look.frameSize.width, height: look.frameSize.height),
      angle: look.previewAngle, isMirrored: look.isMirrored,
      ageMilliseconds: max(0, look.info.exposureMidpoint.duration(to: clock.now).inMilliseconds))
  }

  func watchPreview(_ wanted: PreviewStreamRequest) throws(APIError) -> any PreviewViewer {
    guard let broadcast else { throw Self.noPreviews }
    return broadcast.watch(wanted)
  }

  func loupe(_ wanted: LoupeRequest) async throws(APIError) -> PreviewPicture {
    guard let previews else { throw Self.noPreviews }
    return try await previews.loupe(wanted)
  }

  private static let noPreviews = APIError(.unavailable, "This service makes no previews.")

  /// Returns the newest reading, and asks for a newer one for the next call.
  ///
  /// The call never waits for the sensor, which may hang.
  func accelerometer() async -> AccelerometerReport {
    session.gravityRequests.send(())
    let snapshot = await monitor.snapshot
    return AccelerometerReport(
      state: Word(snapshot.accelerometer), captureAngle: await session.captureAngle,
      reading: snapshot.gravity.map { sample in
        AccelerometerReport.Reading(
          timeNanoseconds: sample.time.nanoseconds,
          ageMilliseconds: max(0, sample.time.duration(to: clock.now).inMilliseconds),
          sensor: sample.sensor.axes, rig: sample.acceleration.axes)
      })
  }
}

extension Acceleration {
  fileprivate var axes: [Double] { [x, y, z] }
}
