import API
import Devices
import Foundation

/// The sights and readings of the fake rig, and the questions that it got.
struct FakeAlignment {
  var preview = AlignmentSamples.preview
  var previewFailure: APIError?
  var sizes: [PreviewSize] = []
  /// Whether the lens is where the session was told, and each preview of a newer frame.
  var followsLens = false
  /// Whether there is nothing to focus on.
  var isPageEmpty = false
  var accelerometer = AlignmentSamples.accelerometer
  /// The accelerometer's reports, one after the other; the last one stays.
  var readings: [AccelerometerReport] = []
}

extension FakeRig {
  func preview(_ size: PreviewSize) async throws(APIError) -> PreviewReport {
    editAlignment { $0.sizes.append(size) }
    if let failure = alignment.previewFailure { throw failure }
    return alignment.followsLens ? followingPreview() : alignment.preview
  }

  /// A preview of the next frame, taken with the lens where it was wanted last; sharpest at 4
  /// dioptres.
  private func followingPreview() -> PreviewReport {
    var dioptres = 1.0
    for change in capture.changes {
      if case .locked(let wanted?)? = change.controls.focusMode { dioptres = wanted }
    }
    let sample = AlignmentSamples.preview
    let state = alignment
    return PreviewReport(
      width: sample.width, height: sample.height, luma: sample.luma,
      frame: Int64(state.sizes.count), frameSize: sample.frameSize,
      captureAngle: sample.captureAngle, ageMilliseconds: sample.ageMilliseconds,
      focus: state.isPageEmpty ? 0.01 : 0.3 / (1 + (dioptres - 4) * (dioptres - 4)),
      clippedHighlights: sample.clippedHighlights, clippedShadows: sample.clippedShadows,
      dioptres: dioptres)
  }

  func accelerometer() async -> AccelerometerReport {
    editAlignment { alignment in
      if !alignment.readings.isEmpty { alignment.accelerometer = alignment.readings.removeFirst() }
    }
    return alignment.accelerometer
  }
}

/// Sights and readings of a rig.
enum AlignmentSamples {
  /// A ramp from black to white.
  static let preview = PreviewReport(
    width: 16, height: 4, luma: Data((0..<64).map { UInt8($0 % 16 * 17) }).base64EncodedString(),
    frame: 1234, frameSize: SizeReport(width: 640, height: 480), captureAngle: 90,
    ageMilliseconds: 41.5, focus: 0.1875, clippedHighlights: 0.03125, clippedShadows: 0.0625,
    exposureMicroseconds: 9500, gain: 1.25, dioptres: 2.25, focusState: "focused")

  static let accelerometer = AccelerometerReport(
    state: "ok", captureAngle: 0,
    reading: AccelerometerReport.Reading(
      timeNanoseconds: 5_000_000_000, ageMilliseconds: 40, sensor: [-9.81, 0.02, 0.4],
      rig: [0.02, 9.81, 0.4]))
}
