import API
import Devices
import Foundation
import Synchronization

/// The sights and readings of the fake rig, and the questions that it got.
struct FakeAlignment {
  var preview = AlignmentSamples.preview
  var previewFailure: APIError?
  var sizes: [PreviewSize] = []
  /// The number of pictures that a viewer gets before it waits; `nil` for no end.
  var pictureCount: Int?
  /// The bytes of each picture at least.
  var pictureBytes = 0
  /// The sizes and rates that viewers wanted.
  var streams: [PreviewStreamRequest] = []
  var loupes: [LoupeRequest] = []
  /// The number of pictures that viewers have wanted.
  var wantedPictures = 0
  /// The number of viewers whose part was ended from outside.
  var stoppedViewers = 0
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
  /// diopters.
  private func followingPreview() -> PreviewReport {
    var diopters = 1.0
    for change in capture.changes {
      if case .locked(let wanted?)? = change.controls.focusMode { diopters = wanted }
    }
    let sample = AlignmentSamples.preview
    let state = alignment
    return PreviewReport(
      width: sample.width, height: sample.height, luma: sample.luma,
      frame: Int64(state.sizes.count), frameSize: sample.frameSize,
      captureAngle: sample.captureAngle, ageMilliseconds: sample.ageMilliseconds,
      focus: state.isPageEmpty ? 0.01 : 0.3 / (1 + (diopters - 4) * (diopters - 4)),
      clippedHighlights: sample.clippedHighlights, clippedShadows: sample.clippedShadows,
      diopters: diopters)
  }

  func previewPage() async throws(APIError) -> PagePreviewReport {
    if let failure = alignment.previewFailure { throw failure }
    return AlignmentSamples.page
  }

  func watchPreview(_ wanted: PreviewStreamRequest) throws(APIError) -> any PreviewViewer {
    editAlignment { $0.streams.append(wanted) }
    return FakeViewer(of: self)
  }

  func loupe(_ wanted: LoupeRequest) async throws(APIError) -> PreviewPicture {
    editAlignment { $0.loupes.append(wanted) }
    if let failure = alignment.previewFailure { throw failure }
    return AlignmentSamples.picture(number: 7)
  }

  func accelerometer() async -> AccelerometerReport {
    editAlignment { alignment in
      if !alignment.readings.isEmpty { alignment.accelerometer = alignment.readings.removeFirst() }
    }
    return alignment.accelerometer
  }
}

/// A viewer that gets a picture whenever it wants one.
final class FakeViewer: PreviewViewer {
  private let rig: FakeRig
  private let count = Mutex(0)
  private let isOver: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init(of rig: FakeRig) {
    self.rig = rig
    (isOver, end) = AsyncStream.makeStream(of: Void.self)
  }

  deinit { stop() }

  func next() async throws(APIError) -> PreviewPicture? {
    let alignment = rig.alignment
    if let failure = alignment.previewFailure { throw failure }
    let number = count.withLock { count in
      count += 1
      return count
    }
    rig.editAlignment { $0.wantedPictures += 1 }
    if number <= alignment.pictureCount ?? .max {
      return AlignmentSamples.picture(number: number, bytes: alignment.pictureBytes)
    }
    for await _ in isOver {}
    return nil
  }

  func stop() {
    rig.editAlignment { $0.stoppedViewers += 1 }
    end.finish()
  }
}

/// Sights and readings of a rig.
enum AlignmentSamples {
  /// Bytes in place of a JPEG image, with the ends of lines and the boundary among them.
  static func picture(number: Int, bytes: Int = 0) -> PreviewPicture {
    let text = Array("\u{FF}\r\n--platen-picture\r\n\(number)\r\n\r\n".utf8)
    return PreviewPicture(
      jpeg: text + [UInt8](repeating: 0, count: max(0, bytes - text.count)),
      frame: Int64(number), sensorTimeNanoseconds: 5_000_000_000 + Int64(number), angle: 90,
      isMirrored: false, sharpness: 0.18754, exposureMicroseconds: 9500,
      gain: number == 1 ? nil : 1.25)
  }

  /// A ramp from black to white.
  static let preview = PreviewReport(
    width: 16, height: 4, luma: Data((0..<64).map { UInt8($0 % 16 * 17) }).base64EncodedString(),
    frame: 1234, frameSize: SizeReport(width: 640, height: 480), captureAngle: 90,
    ageMilliseconds: 41.5, focus: 0.1875, clippedHighlights: 0.03125, clippedShadows: 0.0625,
    exposureMicroseconds: 9500, gain: 1.25, colorTemperature: 4600, diopters: 2.25,
    focusState: "focused")

  /// A page that goes beyond the picture.
  static let page: PagePreviewReport = {
    var findings = PageFindings()
    findings.outline = [PageFindings.Point(x: 0.25, y: 0), PageFindings.Point(x: 0.75, y: 0)]
    findings.regions = [PageFindings.Region(x: 0.3, y: 0.1, width: 0.4, height: 0.8)]
    (findings.textAngle, findings.skew, findings.letterHeight) = (90, -1.5, 14)
    findings.warnings = [.pageCutOff]
    return PagePreviewReport(
      findings, aim: 0.625, advice: "Move the whole page into the picture.", frame: 1234,
      frameSize: SizeReport(width: 640, height: 480), angle: 90, isMirrored: false,
      ageMilliseconds: 41.5)
  }()

  static let accelerometer = AccelerometerReport(
    state: "ok", captureAngle: 0,
    reading: AccelerometerReport.Reading(
      timeNanoseconds: 5_000_000_000, ageMilliseconds: 40, sensor: [-9.81, 0.02, 0.4],
      rig: [0.02, 9.81, 0.4]))
}
