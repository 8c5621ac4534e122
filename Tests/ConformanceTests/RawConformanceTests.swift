import Devices
import Testing

extension Conformance {
  /// Raw frames beside the processed ones, or the sentence that there are none.
  @Suite struct RawConformanceTests {
    private static let small: StreamConfiguration = {
      var small = StreamConfiguration(
        size: FrameSize(width: 640, height: 480), ringFrameCount: 4, leasedFrameCount: 2)
      small.wantsRaw = true
      return small
    }()

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `a stream has the raw frames that the camera has`(board: ConformanceBoard) async throws {
      try await board.withCamera { camera in
        let stream = try await camera.start(Self.small)
        let lease = try await camera.firstLease(of: stream)
        let adjustments = stream.configuration.adjustments
        guard await camera.capabilities.rawFormat != nil else {
          #expect(stream.configuration.raw == nil)
          #expect(lease.raw == nil)
          #expect(adjustments.contains(ResolvedStreamConfiguration.noRaw))
          return
        }
        #expect(!adjustments.contains(ResolvedStreamConfiguration.noRaw))
        let layout = try #require(stream.configuration.raw)
        let raw = try #require(lease.raw)
        #expect(raw.format == layout)
        #expect(raw.properties.blackLevels.count == 4)
        #expect(raw.properties.colorMatrix.count == 9)
        let (count, sum) = try lease.withRawBytes { bytes, _ in
          (bytes.count, bytes.reduce(0) { $0 + Int($1) })
        }
        #expect(count >= layout.byteCount)
        #expect(sum > 0)
        lease.end()
        #expect(throws: DeviceError.self) { try lease.withRawBytes { _, _ in } }
      }
    }

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `a stream without the wish has no raw frames`(board: ConformanceBoard) async throws {
      try await board.withCamera { camera in
        var plain = Self.small
        plain.wantsRaw = false
        let stream = try await camera.start(plain)
        #expect(stream.configuration.raw == nil)
        #expect(try await camera.firstLease(of: stream).raw == nil)
      }
    }
  }
}
