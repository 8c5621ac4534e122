import Devices
import Testing

@testable import Capture

/// The files that a merged bracket announces, and the reasons against merging.
@Suite struct BracketMergeTests {
  private func resolved(
    _ wanted: PhotoSettings, _ standard: BracketMerge = .off, isHot: Bool = false,
    pixelFormat: PixelFormat = .yuv420
  ) throws -> ResolvedPhotoSettings {
    let size = FrameSize(width: 64, height: 36)
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: StreamConfiguration(size: size))
    configuration.merge = standard
    configuration.additionalDeliveries = [PhotoDelivery.Kind(rawValue: "thumbnail")]
    var output = PhotoOutput(configuration)
    let stream = ResolvedStreamConfiguration(
      format: StreamFormat(
        size: size, pixelFormat: pixelFormat, bytesPerRow: 64, colorSpace: .jpeg),
      bufferCount: 8, leasedFrameCount: 6, frameDuration: nil, readoutDuration: .zero,
      adjustments: [])
    _ = output.admit(
      Press(number: 1, source: .api, time: MonotonicInstant(nanoseconds: 0)), readiness: .ready,
      wanted: wanted, session: configuration.settings, stream: stream, isHot: isHot)
    guard case .waiting(let settings)? = output.presses[1]?.stage else {
      throw DeviceError(.inputOutput, device: "test", problem: "has no press")
    }
    return settings
  }

  static let counts: [(BracketMerge, Int)] = [(.off, 3), (.add, 4), (.only, 1)]

  @Test(arguments: counts)
  func `the files of a merged bracket are announced`(merge: BracketMerge, count: Int) throws {
    let settings = try resolved(PhotoSettings(bracket: .standard, merge: merge))
    #expect(settings.merge == merge && settings.unmerged == nil)
    #expect(settings.expectedDeliveries.count(where: { $0 == .photo }) == count)
    #expect(settings.expectedPhotoCount == 2 * count, "a thumbnail for each")
  }

  @Test func `a press merges as the session does unless it says otherwise`() throws {
    #expect(try resolved(PhotoSettings(bracket: .standard), .only).merge == .only)
    #expect(try resolved(PhotoSettings(bracket: .standard, merge: .off), .only).merge == .off)
    #expect(try resolved(PhotoSettings(), .only).merge == .off)
    #expect(try resolved(PhotoSettings(), .only, isHot: true).unmerged == nil)
  }

  @Test func `heat and a camera's compression are said before the frames are chosen`() throws {
    let wanted = PhotoSettings(bracket: .standard, merge: .only)
    let hot = try resolved(wanted, isHot: true)
    #expect(hot.unmerged == .heat && hot.merge == .off && hot.expectedPhotoCount == 6)
    #expect(try resolved(wanted, pixelFormat: .mjpeg).unmerged == .compressed)
    #expect(try resolved(PhotoSettings(bracket: .standard), isHot: true).unmerged == nil)
  }
}
