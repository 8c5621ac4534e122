import Devices
import SimulatedDevices
import TestSupport
import Testing

extension Conformance {
  /// Previews beside the frames, or none.
  @Suite struct PreviewConformanceTests {
    private static let small: StreamConfiguration = {
      var small = StreamConfiguration(
        size: FrameSize(width: 640, height: 480), ringFrameCount: 4, leasedFrameCount: 2)
      small.previewWidth = 1024
      return small
    }()

    /// Letters of different sizes differ in their strokes by up to this many levels.
    private static let tolerance = 24

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `a preview stream shows the same moment as its frame`(board: ConformanceBoard) async throws
    {
      try await board.withCamera { camera in
        let stream = try await camera.start(Self.small)
        guard let format = stream.configuration.preview else {
          #expect(try await camera.firstLease(of: stream).preview == nil)
          return
        }
        #expect(format.size == FrameSize(width: 320, height: 240))
        for _ in 0..<3 {
          let lease = try await camera.firstLease(of: stream)
          let preview = try #require(lease.preview)
          #expect(preview.format == format)
          #expect(preview.memory.byteCount >= format.byteCount)
          let difference = try #require(try lease.differenceOfPreview())
          #expect(difference <= Self.tolerance)
          // Only the simulated scene has a number.
          let number = try PageSceneReader.read(lease).frameNumber
          let shown = try lease.withPicture(ofAtLeast: format.size) { bytes, format in
            PageSceneReader(size: format.size).read(luma: bytes, bytesPerRow: format.bytesPerRow)
          }
          #expect(shown.frameNumber == number)
          lease.end()
          #expect(throws: DeviceError.self) {
            try lease.withPicture(ofAtLeast: format.size) { _, _ in }
          }
        }
      }
    }

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `a preview stream changes nothing else`(board: ConformanceBoard) async throws {
      try await board.withCamera { camera in
        var plain = Self.small
        plain.previewWidth = nil
        var with = try await camera.resolve(Self.small)
        with.preview = nil
        let without = try await camera.resolve(plain)
        #expect(with == without)
        _ = try await camera.firstLease(of: camera.start(Self.small))
        let stream = try await camera.start(plain)
        #expect(stream.configuration.preview == nil)
        #expect(try await camera.firstLease(of: stream).preview == nil)
      }
    }
  }
}
