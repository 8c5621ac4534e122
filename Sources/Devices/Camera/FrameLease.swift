import Synchronization

/// The memory of one frame: what a ``FrameLease`` reads and gives back.
///
/// A buffer is a file descriptor that can be mapped, so that a camera may live in another process
/// and hand its frames over a socket without copying them.
public protocol FrameBuffer: AnyObject, Sendable {
  /// The descriptor of the dma-buf or memory file that holds the frame; owned by the buffer.
  var fileDescriptor: Int32 { get }

  /// Where the frame begins in the file, in bytes.
  var offset: Int { get }

  /// Bytes of the frame in use: the planes, or the length of an MJPEG image.
  var byteCount: Int { get }

  /// Calls a closure with the frame's bytes, made coherent for the processor around the call
  /// (`DMA_BUF_IOCTL_SYNC` for a dma-buf).
  ///
  /// The pointer is valid only during the call.
  ///
  /// - Throws: ``DeviceError`` when the memory cannot be read.
  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError)

  /// Gives the memory back to the camera; called once, by the lease.
  func giveBack()
}

/// The right to read one finished frame; its end gives the memory back to the camera.
///
/// It ends with ``end()``, or with the last reference to it.
///
/// A lease outlives the stream it came from: after a stop or a new configuration the memory stays
/// readable and is freed, not reused, when the lease ends.
public final class FrameLease: Sendable {
  /// What is known of the frame.
  public let info: FrameInfo
  /// How its samples lie in memory.
  public let format: StreamFormat
  /// The frame's memory.
  public let buffer: any FrameBuffer

  private struct State {
    var readerCount = 0
    var isEnded = false
    var isGivenBack = false

    /// Whether the memory is to be given back now, which is so once.
    mutating func takesLeave() -> Bool {
      guard isEnded, readerCount == 0, !isGivenBack else { return false }
      isGivenBack = true
      return true
    }
  }

  private let state = Mutex(State())

  /// Makes a lease on a buffer that nobody else will give back.
  public init(info: FrameInfo, format: StreamFormat, buffer: any FrameBuffer) {
    self.info = info
    self.format = format
    self.buffer = buffer
  }

  deinit { end() }

  /// Gives the memory back, as soon as nobody reads it any more; again does nothing.
  ///
  /// The reader calls it when it needs the frame no longer: the references may last until a slow card has
  /// stored the picture.
  public func end() {
    let isLast = state.withLock { state in
      state.isEnded = true
      return state.takesLeave()
    }
    if isLast { buffer.giveBack() }
  }

  /// Calls a closure with the frame's bytes and returns its result.
  ///
  /// The pointer is valid only during the call.
  ///
  /// - Throws: ``DeviceError`` when the memory cannot be read or has been given back, or what the
  ///   closure throws.
  public func withBytes<Success>(
    _ body: (UnsafeRawBufferPointer) throws -> Success
  ) throws -> Success {
    let isOpen = state.withLock { state in
      if !state.isEnded { state.readerCount += 1 }
      return !state.isEnded
    }
    guard isOpen else {
      throw DeviceError(
        .inputOutput, device: "frame \(info.id)", problem: "has been given back to the camera")
    }
    defer {
      let isLast = state.withLock { state in
        state.readerCount -= 1
        return state.takesLeave()
      }
      if isLast { buffer.giveBack() }
    }
    var result: Result<Success, any Error>?
    try buffer.readBytes { bytes in result = Result { try body(bytes) } }
    guard let result else {
      throw DeviceError(.inputOutput, device: "frame \(info.id)", problem: "gave no bytes to read")
    }
    return try result.get()
  }
}
