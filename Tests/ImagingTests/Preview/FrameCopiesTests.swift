import Devices
import Synchronization
import Testing

@testable import Imaging

/// Copies of frames that have a preview.
@Suite struct FrameCopiesTests {
  /// A picture in memory that counts its reads.
  private final class Picture: FrameBuffer {
    let fileDescriptor: Int32 = -1
    let offset = 0
    let format: StreamFormat
    private let bytes: [UInt8]
    private let reads = Mutex(0)

    init(_ width: Int, _ height: Int, gray: Double) {
      let frame = TestFrame(.yuv420, .jpeg, width: width, height: height) { _, _ in
        RGB(red: gray, green: gray, blue: gray)
      }
      format = frame.format
      bytes = frame.bytes
    }

    var byteCount: Int { bytes.count }
    var readCount: Int { reads.withLock { $0 } }

    func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
      reads.withLock { $0 += 1 }
      bytes.withUnsafeBytes { body($0) }
    }

    func giveBack() {}
  }

  private func lease(_ frame: Picture, preview: Picture?) -> FrameLease {
    FrameLease(
      info: FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 0)),
      format: frame.format, buffer: frame,
      preview: preview.map { PreviewImage(format: $0.format, memory: $0) })
  }

  /// The frame is dark and its preview bright, so that each copy shows its source.
  @Test func `copies are of the preview where it is large enough`() throws {
    let (frame, preview) = (Picture(80, 60, gray: 20), Picture(40, 30, gray: 230))
    let (small, same, large) = (
      FrameSize(width: 20, height: 20), FrameSize(width: 40, height: 40),
      FrameSize(width: 41, height: 41)
    )
    let copies = try FrameCopies(of: lease(frame, preview: preview), within: [small, same, large])
    #expect(copies.copies[small]?.format.size == FrameSize(width: 20, height: 15))
    #expect(copies.copies[same]?.format.size == FrameSize(width: 40, height: 30))
    #expect(copies.copies[large]?.format.size == FrameSize(width: 41, height: 31))
    #expect(copies.copies[small]?.bytes[0] == 230)
    #expect(copies.copies[same]?.bytes[0] == 230)
    #expect(copies.copies[large]?.bytes[0] == 20)
    #expect(preview.readCount == 2 && frame.readCount == 1)
  }

  @Test func `copies of a frame without a preview are scaled from the frame`() throws {
    let (frame, limit) = (Picture(80, 60, gray: 20), FrameSize(width: 20, height: 20))
    let copies = try FrameCopies(of: lease(frame, preview: nil), within: [limit])
    #expect(copies.copies[limit]?.bytes[0] == 20)
    #expect(frame.readCount == 1)
  }

  /// The shapes of previews are rounded, and pictures of a stream must not change their size.
  @Test func `the frame's shape decides the size of a copy`() throws {
    let (frame, preview) = (Picture(80, 60, gray: 20), Picture(40, 32, gray: 230))
    let limit = FrameSize(width: 24, height: 24)
    let copies = try FrameCopies(of: lease(frame, preview: preview), within: [limit])
    #expect(copies.copies[limit]?.format.size == FrameSize(width: 24, height: 18))
    #expect(copies.copies[limit]?.bytes[0] == 230)
  }

  @Test func `a glance of a preview has the size of the frame's`() throws {
    let pictures = [Picture(400, 300, gray: 20), Picture(200, 152, gray: 20)]
    let sizes = try pictures.map { picture in
      try lease(picture, preview: nil).withBytes { bytes in
        try GrayPicture.glance(bytes: bytes, format: picture.format, shape: pictures[0].format.size)
          .size
      }
    }
    #expect(sizes[0] == FrameSize(width: 160, height: 120))
    #expect(sizes[1] == sizes[0])
  }
}
