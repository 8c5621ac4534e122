import Devices
import Doctor
import Spool
import Testing

@testable import Capture
@testable import Imaging
@testable import Service

/// The description of a picture besides its pixels.
@Suite struct PhotoDescriptionTests {
  private static let size = FrameSize(width: 640, height: 480)

  private final class NoBytes: FrameBuffer {
    let fileDescriptor: Int32 = -1
    let offset = 0
    let byteCount = 0
    func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {}
    func giveBack() {}
  }

  private func description(
    _ info: FrameInfo, dpi: Double? = nil, warnings: [PageWarning] = PageWarning.allCases,
    _ change: (inout CapturedPhoto) -> Void = { _ in }
  ) -> PhotoDescription {
    let format = StreamFormat(
      size: Self.size, pixelFormat: .yuv420, bytesPerRow: Self.size.width, colorSpace: .jpeg)
    var photo = CapturedPhoto(
      press: Press(number: 7, source: .api, time: info.exposureMidpoint),
      selection: FrameSelection(
        number: 7, frame: info, error: .zero, frameInterval: .milliseconds(33)),
      frame: FrameLease(info: info, format: format, buffer: NoBytes()), captureAngle: 0,
      camera: CameraDescription(id: "cam", model: "imx708"),
      settings: ResolvedPhotoSettings(
        uniqueID: 7, photoDimensions: Self.size, prioritization: .balanced, isFastCapture: false,
        expectedDeliveries: [.photo]))
    change(&photo)
    return PhotoDescription(
      photo,
      rig: PhotoPipeline.Rig(id: "rig", make: "m", model: "m", software: "s", bootID: nil),
      dpi: dpi, wallClock: WallClock(), pageWarnings: warnings)
  }

  private func sidecar(_ info: FrameInfo) -> ItemMetadata {
    description(info).metadata(
      of: EncodedPicture(
        rendition: .full, bytes: [], size: Self.size, quality: 90, encodeCount: 1, budgetFit: nil,
        hasThumbnail: false), hash: nil)
  }

  private var frame: FrameInfo {
    FrameInfo(
      id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 5_000_000_000),
      exposureDuration: .milliseconds(10))
  }

  @Test func `a picture taken while the camera adjusted itself is marked`() {
    var info = frame
    #expect(sidecar(info).adjusting == nil)
    info.exposureState = .searching
    info.focusState = .scanning
    #expect(sidecar(info).adjusting == [.exposure, .focus])
  }

  /// A USB camera does not report its exposure.
  @Test func `an unknown moment of the exposure is marked as unknown`() {
    var info = frame
    #expect(sidecar(info).exposureMidpoint == nil)
    info.exposureDuration = nil
    #expect(sidecar(info).exposureMidpoint == "unknown")
    info = frame
    info.isTimestampKnown = false
    #expect(sidecar(info).exposureMidpoint == "unknown")
  }

  @Test func `gains and the lens position are recorded`() {
    var info = frame
    info.analogueGain = 2
    info.digitalGain = 1.5
    info.whiteBalanceGains = WhiteBalanceGains(red: 1.8, blue: 1.4)
    info.lensPosition = 2.5
    let metadata = sidecar(info)
    #expect(metadata.analogueGain == 2 && metadata.digitalGain == 1.5)
    #expect(metadata.redGain == 1.8 && metadata.blueGain == 1.4)
    #expect(metadata.lensPosition == 2.5 && metadata.isoSpeed == 300)
  }

  @Test func `the flash and its result are recorded`() {
    #expect(description(frame).exif.flash == nil)
    let flash = description(frame) {
      $0.settings.flash = ResolvedFlash(mode: .auto, isEnabled: true)
    }
    #expect(flash.exif.flash == EXIFFlash(mode: .auto, isFired: false), "the lamp has failed")
    let fired = description(frame) {
      $0.settings.flash = ResolvedFlash(mode: .on, isEnabled: true)
      $0.isFlashFired = true
    }
    #expect(fired.exif.flash == EXIFFlash(mode: .on, isFired: true))
    let metadata = fired.metadata(
      of: EncodedPicture(
        rendition: .full, bytes: [], size: Self.size, quality: 90, encodeCount: 1, budgetFit: nil,
        hasThumbnail: false), hash: nil)
    #expect(metadata.flash == .on && metadata.isFlashFired == true)
    #expect(sidecar(frame).flash == nil && sidecar(frame).isFlashFired == nil)
  }

  @Test func `a straightened picture needs no turn`() {
    let turned = description(frame) { $0.captureAngle = 90 }
    var picture = EncodedPicture(
      rendition: .document, bytes: [], size: Self.size, quality: 90, encodeCount: 1,
      budgetFit: nil, hasThumbnail: false)
    let plain = turned.metadata(of: picture, hash: nil)
    #expect(plain.orientation == 6 && plain.captureAngle == 90)
    picture.page = PageFindings()
    let straightened = turned.metadata(of: picture, hash: nil)
    #expect(straightened.orientation == 1 && straightened.captureAngle == 0)
  }

  @Test func `letters that are too small in the document are a warning about the press`() {
    var photo = description(frame) {
      $0.page = PageFindings()
      $0.page?.warnings = [.glare, .pageCrooked]
    }
    var document = EncodedPicture(
      rendition: .document, bytes: [], size: Self.size, quality: 90, encodeCount: 1,
      budgetFit: nil, hasThumbnail: false)
    document.page = PageFindings()
    photo.note([document])
    #expect(photo.page?.warnings == [.glare, .pageCrooked])
    document.page?.warnings = [.lettersTooSmall]
    photo.note([document])
    #expect(photo.page?.warnings == [.glare, .lettersTooSmall, .pageCrooked])
    #expect(photo.metadata(of: document, hash: nil).page?.warnings == [.lettersTooSmall])
  }

  @Test func `a warning that is off is given neither about the page nor about its document`() {
    var photo = description(frame, warnings: [.glare]) {
      $0.page = PageFindings()
      $0.page?.warnings = [.glare, .pageCrooked]
    }
    var document = EncodedPicture(
      rendition: .document, bytes: [], size: Self.size, quality: 90, encodeCount: 1,
      budgetFit: nil, hasThumbnail: false)
    document.page = PageFindings()
    document.page?.warnings = [.lettersTooSmall]
    photo.note([document])
    #expect(photo.page?.warnings == [.glare])
    #expect(photo.metadata(of: document, hash: nil).page?.warnings == [])
  }

  @Test func `the reason for a single frame is recorded`() {
    #expect(sidecar(frame).singleFrame == nil && sidecar(frame).averagedFrames == nil)
    let hot = description(frame) { $0.singleFrame = .heat }
    #expect(hot.singleFrame == .heat && hot.exif.compositeImage == nil)
    let failed = description(frame) { $0.neighbors = [$0.frame] }
    #expect(failed.singleFrame == .failed, "there is no average although there are neighbors")
  }

  /// The configured resolution holds for the configured camera, preset and zoom alone.
  @Test func `a resolution is claimed only where it holds`() {
    #expect(description(frame).exif.dotsPerInch == nil)
    #expect(description(frame, dpi: 300).exif.dotsPerInch == 300)
    #expect(description(frame, dpi: 300) { $0.isAsConfigured = false }.exif.dotsPerInch == nil)
    #expect(description(frame) { $0.pixelsPerInch = 211 }.exif.dotsPerInch == 211)
    #expect(description(frame, dpi: 300) { $0.pixelsPerInch = 211 }.exif.dotsPerInch == 300)
  }
}
