import Devices
import Synchronization
import Testing

@Suite struct FrameLeaseTests {
  /// A byte of memory that counts its returns.
  private final class CountedByte: FrameBuffer {
    let fileDescriptor: Int32 = -1
    let offset = 0
    let byteCount = 1
    private let returns = Mutex(0)

    var returnCount: Int { returns.withLock { $0 } }

    func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
      withUnsafeBytes(of: UInt8(7), body)
    }

    func giveBack() { returns.withLock { $0 += 1 } }
  }

  private func lease(_ buffer: CountedByte) -> FrameLease {
    let size = FrameSize(width: 1, height: 1)
    return FrameLease(
      info: FrameInfo(id: 3, sequence: 3, timestamp: MonotonicInstant(nanoseconds: 0)),
      format: StreamFormat(
        size: size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .jpeg), buffer: buffer)
  }

  @Test func `the memory is returned once at the end or with the last reference`() throws {
    let (ended, dropped) = (CountedByte(), CountedByte())
    do {
      let lease = lease(ended)
      #expect(try lease.withBytes { $0[0] } == 7)
      lease.end()
      lease.end()
      #expect(ended.returnCount == 1)
      let error = #expect(throws: DeviceError.self) { try lease.withBytes { $0[0] } }
      #expect(error?.description == "\"frame 3\" has been given back to the camera")
      _ = self.lease(dropped)
    }
    #expect(ended.returnCount == 1)
    #expect(dropped.returnCount == 1)
  }

  @Test func `the raw frame is read as long as the lease lasts, and returned with it`() throws {
    let (buffer, raw) = (CountedByte(), CountedByte())
    let format = RawStreamFormat(
      format: RawFormat(mosaic: .rggb, bitDepth: 8, packing: .csi2),
      size: FrameSize(width: 1, height: 1), bytesPerRow: 1)
    let properties = RawProperties(
      blackLevels: [0, 0, 0, 0], whiteLevel: 255, neutral: [1, 1, 1],
      colorMatrix: [1, 0, 0, 0, 1, 0, 0, 0, 1])
    let plain = lease(CountedByte())
    let lease = FrameLease(
      info: plain.info, format: plain.format, buffer: buffer,
      raw: RawFrame(format: format, properties: properties, memory: raw))
    #expect(try lease.withRawBytes { bytes, _ in bytes[0] } == 7)
    #expect(try lease.withRawBytes { _, raw in raw.format } == format)
    lease.end()
    #expect(buffer.returnCount == 1)
    #expect(raw.returnCount == 0)
    #expect(throws: DeviceError.self) { try lease.withRawBytes { _, _ in } }
    let error = #expect(throws: DeviceError.self) { try plain.withRawBytes { _, _ in } }
    #expect(error?.code == .unsupported)
  }

  @Test func `the smallest picture that suffices is read`() throws {
    /// Another byte, which tells the preview from the frame.
    final class OtherByte: FrameMemory {
      let fileDescriptor: Int32 = -1
      let offset = 0
      let byteCount = 1

      func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
        withUnsafeBytes(of: UInt8(9), body)
      }
    }
    func format(_ width: Int, _ height: Int) -> StreamFormat {
      StreamFormat(
        size: FrameSize(width: width, height: height), pixelFormat: .yuv420, bytesPerRow: width,
        colorSpace: .jpeg)
    }
    let (frame, preview) = (format(40, 30), format(20, 15))
    let plain = lease(CountedByte())
    let lease = FrameLease(
      info: plain.info, format: frame, buffer: CountedByte(),
      preview: PreviewImage(format: preview, memory: OtherByte()))
    for (width, height, byte) in [(20, 15, 9), (1, 1, 9), (21, 15, 7), (20, 16, 7), (99, 99, 7)] {
      let read = try lease.withPicture(ofAtLeast: FrameSize(width: width, height: height)) {
        (byte: Int($0[0]), format: $1)
      }
      #expect(read.byte == byte)
      #expect(read.format == (byte == 9 ? preview : frame))
    }
    #expect(
      try plain.withPicture(ofAtLeast: FrameSize(width: 1, height: 1)) { bytes, _ in bytes[0] } == 7
    )
    lease.end()
    #expect(throws: DeviceError.self) {
      try lease.withPicture(ofAtLeast: preview.size) { _, _ in }
    }
  }

  @Test func `a reader keeps the memory until it has finished`() throws {
    let buffer = CountedByte()
    let lease = lease(buffer)
    try lease.withBytes { bytes in
      lease.end()
      #expect(buffer.returnCount == 0)
      #expect(bytes[0] == 7)
    }
    #expect(buffer.returnCount == 1)
  }
}
