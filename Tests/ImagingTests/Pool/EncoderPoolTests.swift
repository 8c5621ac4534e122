import Devices
import Imaging
import Synchronization
import Testing

struct EncoderPoolTests {
  @Test
  func `Many tasks get the right pictures, and work on no more cores than there are`()
    async throws
  {
    let frame = TestFrame(
      .nv12, .bt709Limited, width: 200, height: 150,
      paint: TestFrame.gradient(width: 200, height: 150))
    let wanted = try TurboDecoder.decode(JPEGEncoderTests.encode(frame)).pixels
    let pool = EncoderPool(coreCount: 3)
    let busy = Busy()
    let pictures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<24 {
        group.addTask {
          try await pool.perform { encoder, stripeCount in
            busy.begin(stripeCount)
            defer { busy.end(stripeCount) }
            return try frame.bytes.withUnsafeBytes { bytes in
              try encoder.encode(
                bytes: bytes, format: frame.format, exif: EXIFMetadataTests.full,
                renditions: [RenditionSettings(rendition: .full, quality: .quality(90))],
                stripeCount: stripeCount)[0].bytes
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(pictures.count == 24)
    for picture in pictures { #expect(try TurboDecoder.decode(picture).pixels == wanted) }
    #expect(busy.most <= 3 && busy.most > 0)
    #expect(pool.waitingCount == 0)
  }

  @Test
  func `A single picture has all cores, and failed work returns them`() async throws {
    struct Failure: Error {}
    let pool = EncoderPool(coreCount: 4)
    for _ in 0..<3 {
      await #expect(throws: Failure.self) {
        try await pool.perform { _, _ -> Int in throw Failure() }
      }
      let stripeCount = try await pool.perform { _, stripeCount in stripeCount }
      #expect(stripeCount == 4)
    }
  }

  /// The number of threads that work at once, and its maximum so far.
  private final class Busy: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin(_ count: Int) {
      counts.withLock {
        $0.now += count
        $0.most = max($0.most, $0.now)
      }
    }

    func end(_ count: Int) { counts.withLock { $0.now -= count } }
  }
}
