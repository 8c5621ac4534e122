import CTurboJPEG
import Capture
import Devices
import Service

/// The times of one benchmark, in milliseconds.
///
/// After each picture is stored, bare libjpeg-turbo encodes the same frame once more.
actor Samples {
  private(set) var pressToFrame: [Double] = []
  private(set) var frameToStored: [Double] = []
  private(set) var pressToStored: [Double] = []
  private(set) var bareEncode: [Double] = []
  private let clock: SystemMonotonicClock

  init(clock: SystemMonotonicClock) {
    self.clock = clock
  }

  /// Discards all measurements.
  func forget() {
    pressToFrame = []
    frameToStored = []
    pressToStored = []
    bareEncode = []
  }

  /// Sends a photo through the pipeline and notes the times.
  func measure(
    _ photo: CapturedPhoto, through pipeline: PhotoPipeline,
    deliver: @escaping @Sendable (PhotoDelivery) async -> Void
  ) async -> PressOutcome {
    let toFrame = photo.press.time.duration(to: clock.now)
    // The copy is necessary, because the pipeline releases the frame's memory.
    let copy: [UInt8]
    do {
      copy = try photo.frame.withBytes { Array($0) }
    } catch {
      return .refused(.encodingFailed)
    }
    let chosen = clock.now
    let outcome = await pipeline.process(photo, deliver: deliver)
    let toStored = chosen.duration(to: clock.now)
    pressToFrame.append(toFrame.inMilliseconds)
    frameToStored.append(toStored.inMilliseconds)
    pressToStored.append((toFrame + toStored).inMilliseconds)
    bareEncode.append(encodeBare(copy, photo.frame.format))
    return outcome
  }

  /// Encodes a YUV 4:2:0 frame with `tjCompressFromYUVPlanes` alone; returns milliseconds.
  private func encodeBare(_ frame: [UInt8], _ format: StreamFormat) -> Double {
    frame.withUnsafeBytes { bytes in
      let handle = tjInitCompress()
      defer { tjDestroy(handle) }
      let planes = format.planes
      var pointers = planes.map { plane in
        bytes.baseAddress?.advanced(by: plane.offset).assumingMemoryBound(to: UInt8.self)
      }
      var strides = planes.map { Int32($0.bytesPerRow) }
      var output: UnsafeMutablePointer<UInt8>?
      var length: UInt = 0
      defer { tjFree(output) }
      let began = clock.now
      tjCompressFromYUVPlanes(
        handle, &pointers, Int32(format.size.width), &strides,
        Int32(format.size.height), Int32(TJSAMP_420.rawValue), &output, &length, 90, 0)
      return began.duration(to: clock.now).inMilliseconds
    }
  }
}
