import Capture
import Devices
import SimulatedDevices
import Testing

/// The resolution that pictures claim, in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ScaleTests {
  private let camera = SimulatedCameraModel().id

  /// A frame, and whether a scale of 320x180, measured with the lens at 2 diopters, holds for it.
  struct Frame: Sendable {
    var lens: Double? = 2
    var size = FrameSize(width: 320, height: 180)
    var crop = 4608
    var holds = true
  }

  static let frames: [Frame] = [
    Frame(), Frame(lens: 2.05), Frame(lens: 1.95), Frame(lens: 2.07, holds: false),
    Frame(lens: nil, holds: false), Frame(crop: 2304, holds: false),
    Frame(size: FrameSize(width: 640, height: 360), holds: false),
  ]

  private func info(_ lens: Double?, crop: Int) -> FrameInfo {
    FrameInfo(
      id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1), lensPosition: lens,
      crop: SensorRegion(left: 0, top: 0, size: FrameSize(width: crop, height: crop)))
  }

  @Test(arguments: frames)
  func `a scale holds for frames like its own`(_ frame: Frame) {
    let size = FrameSize(width: 320, height: 180)
    let scale = CameraScale(pixelsPerInch: 100, of: info(2, crop: 4608), size: size)
    #expect(scale.holds(for: info(frame.lens, crop: frame.crop), size: frame.size) == frame.holds)
    let without = CameraScale(pixelsPerInch: 100, of: info(nil, crop: 4608), size: size)
    #expect(without.holds(for: info(nil, crop: 4608), size: size))
    // Near lenses are focused in larger steps.
    let near = CameraScale(pixelsPerInch: 100, of: info(10, crop: 4608), size: size)
    #expect(near.holds(for: info(10.19, crop: 4608), size: size))
    #expect(!near.holds(for: info(10.21, crop: 4608), size: size))
  }

  /// Keeps a scale for the present frames.
  private func keep(_ pixelsPerInch: Double, _ rig: VirtualSession) async throws {
    let (session, camera) = (rig.session, camera)
    let frame = try #require(await rig.frames().last)
    let size = try #require(await session.currentStatus.stream?.format.size)
    let result = await rig.during { () async -> Result<CameraScale, DeviceError> in
      do throws(DeviceError) {
        return .success(
          try await session.keepScale(pixelsPerInch, of: frame, size: size, camera: camera))
      } catch {
        return .failure(error)
      }
    }
    _ = try result.get()
  }

  private func claimed(_ rig: VirtualSession) async throws -> Double? {
    let record = await rig.press()
    try #require(record?.frame != nil)
    return await rig.harness.store.latestPixelsPerInch
  }

  @Test func `a picture claims the scale of its preset until the scale is deleted`() async throws {
    let shelf = CalibrationShelf()
    let rig = VirtualSession(calibrations: shelf)
    let session = rig.session
    await rig.wait()
    #expect(try await claimed(rig) == nil)
    try await keep(90, rig)
    try await keep(100, rig)
    #expect(await shelf.scales()[camera]?.map(\.pixelsPerInch) == [100], "one for each way")
    #expect(try await claimed(rig) == 100)

    let other = SessionPreset.custom(FrameSize(width: 480, height: 270))
    _ = await rig.during { try? await session.configure { $0.preset = other } }
    await rig.wait()
    #expect(try await claimed(rig) == nil)
    try await keep(150, rig)
    #expect(try await claimed(rig) == 150)
    _ = await rig.during { try? await session.configure { $0.controls.videoZoomFactor = 2 } }
    _ = await rig.frames()
    #expect(try await claimed(rig) == nil)
    await rig.stop()

    let next = VirtualSession(calibrations: shelf)
    await next.wait()
    #expect(try await claimed(next) == 100)
    let calibrated = next.session
    _ = await next.during(sleepers: 1) { try? await calibrated.calibrate() }
    #expect(shelf.contents[camera] != nil)
    #expect(try await claimed(next) == 100, "calibrating leaves it")
    _ = await next.during { try? await calibrated.forgetCalibration() }
    #expect(await shelf.scales().isEmpty)
    #expect(try await claimed(next) == nil)
    await next.stop()
  }

  @Test func `a scale that cannot be stored is not claimed`() async throws {
    let shelf = CalibrationShelf()
    let rig = VirtualSession(calibrations: shelf)
    await rig.wait()
    shelf.breakDown()
    await #expect(throws: DeviceError.self) { try await keep(100, rig) }
    #expect(try await claimed(rig) == nil)
    await rig.stop()
  }
}
