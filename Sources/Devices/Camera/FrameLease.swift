import Synchronization

/// The memory of a frame, read by a ``FrameLease``.
///
/// The memory is a file descriptor that can be mapped. So a camera may live in another process and
/// hand its frames over a socket without copying them.
package protocol FrameMemory: AnyObject, Sendable {
  /// The descriptor of the dma-buf or memory file that holds the frame; owned by this object.
  var fileDescriptor: Int32 { get }

  /// The offset of the frame in the file, in bytes.
  var offset: Int { get }

  /// The number of the frame's bytes in use: the planes, or the length of an MJPEG image.
  var byteCount: Int { get }

  /// Calls a closure with the frame's bytes, made coherent for the processor around the call.
  ///
  /// A dma-buf uses `DMA_BUF_IOCTL_SYNC` for that. The pointer is valid only during the call.
  ///
  /// - Throws: ``DeviceError`` when the memory cannot be read.
  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError)
}

/// The memory of a processed frame, read and released by a ``FrameLease``.
package protocol FrameBuffer: FrameMemory {
  /// Returns the memory to the camera, with that of the raw frame and of the preview.
  ///
  /// The lease calls it once.
  func giveBack()
}

/// The right to read a finished frame; its end returns the memory to the camera.
///
/// The lease ends with ``end()``, or with the last reference to it. A lease outlives its stream:
/// after a stop or a new configuration the memory stays readable, and is freed, not reused, when
/// the lease ends.
package final class FrameLease: Sendable {
  /// The description of the frame.
  package let info: FrameInfo
  /// The layout of the samples in memory.
  package let format: StreamFormat
  /// The frame's memory.
  package let buffer: any FrameBuffer
  /// The raw frame of the same exposure; `nil` when the stream has none or it was damaged.
  package let raw: RawFrame?
  /// The small picture of the same moment; `nil` when the stream has none or it was damaged.
  package let preview: PreviewImage?

  private struct State {
    var readerCount = 0
    var isEnded = false
    var isGivenBack = false

    /// Returns whether the memory is to be returned now, which is `true` once.
    mutating func takesLeave() -> Bool {
      guard isEnded, readerCount == 0, !isGivenBack else { return false }
      isGivenBack = true
      return true
    }
  }

  private let state = Mutex(State())

  /// Makes a lease on a buffer that only the lease will return.
  package init(
    info: FrameInfo, format: StreamFormat, buffer: any FrameBuffer, raw: RawFrame? = nil,
    preview: PreviewImage? = nil
  ) {
    self.info = info
    self.format = format
    self.buffer = buffer
    self.raw = raw
    self.preview = preview
  }

  deinit { end() }

  /// Returns the memory as soon as the last read ends; a second call does nothing.
  ///
  /// The reader calls it when it no longer needs the frame: references may last until a slow card
  /// has stored the picture.
  package func end() {
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
  /// - Throws: ``DeviceError`` when the memory cannot be read or has been returned, or the error of
  ///   the closure.
  package func withBytes<Success>(
    _ body: (UnsafeRawBufferPointer) throws -> Success
  ) throws -> Success {
    try read(buffer, body)
  }

  /// Calls a closure with the bytes of the raw frame and returns its result.
  ///
  /// The pointer is valid only during the call.
  ///
  /// - Throws: ``DeviceError``, code `unsupported` without a raw frame, or as ``withBytes(_:)``.
  package func withRawBytes<Success>(
    _ body: (UnsafeRawBufferPointer, RawFrame) throws -> Success
  ) throws -> Success {
    guard let raw else {
      throw DeviceError(.unsupported, device: "frame \(info.id)", problem: "has no raw frame")
    }
    return try read(raw.memory) { bytes in try body(bytes, raw) }
  }

  /// Calls a closure with the smallest picture of the frame that has a size, and with its format.
  ///
  /// The picture is ``preview`` where that is large enough, and the frame itself otherwise. The
  /// pointer is valid only during the call.
  ///
  /// - Parameter size: the fewest columns and rows of the picture.
  /// - Throws: ``DeviceError`` as ``withBytes(_:)``.
  package func withPicture<Success>(
    ofAtLeast size: FrameSize, _ body: (UnsafeRawBufferPointer, StreamFormat) throws -> Success
  ) throws -> Success {
    guard let preview, preview.format.size.contains(size) else {
      return try read(buffer) { bytes in try body(bytes, format) }
    }
    return try read(preview.memory) { bytes in try body(bytes, preview.format) }
  }

  private func read<Success>(
    _ memory: any FrameMemory, _ body: (UnsafeRawBufferPointer) throws -> Success
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
    try memory.readBytes { bytes in result = Result { try body(bytes) } }
    guard let result else {
      throw DeviceError(.inputOutput, device: "frame \(info.id)", problem: "gave no bytes to read")
    }
    return try result.get()
  }
}
