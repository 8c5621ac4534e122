import CFFmpeg
import Recorder

/// The conversion of a microphone's samples to those of the part, with the stretch of its clock.
final class SoundResampler {
  /// The number of channels of the result, 1 or 2.
  let channelCount: Int
  private let format: SoundFormat
  private let context: OpaquePointer

  /// Makes a conversion.
  ///
  /// - Throws: ``RecorderFailure`` when libswresample cannot do it.
  init(_ format: SoundFormat) throws(RecorderFailure) {
    let problem = "Sound cannot be resampled, \(RecorderFailure.withoutSound)"
    self.format = format
    channelCount = min(format.channelCount, 2)
    var (input, output) = (AVChannelLayout(), AVChannelLayout())
    av_channel_layout_default(&input, Int32(format.channelCount))
    av_channel_layout_default(&output, Int32(channelCount))
    var made: OpaquePointer?
    try check(
      swr_alloc_set_opts2(
        &made, &output, AV_SAMPLE_FMT_FLT, Int32(SoundDrift.rate), &input,
        format.sampleByteCount == 2 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32, Int32(format.rate), 0,
        nil), problem)
    guard let made else { throw RecorderFailure("\(problem): there is no memory.") }
    context = made
    // Equal rates have no resampler otherwise, which the stretch needs.
    try check(
      av_opt_set_int(UnsafeMutableRawPointer(made), "flags", Int64(SWR_FLAG_RESAMPLE), 0), problem)
    try check(swr_init(made), problem)
  }

  deinit {
    var context: OpaquePointer? = context
    swr_free(&context)
  }

  /// The samples of each channel that are still in the conversion.
  var delay: Int64 { swr_get_delay(context, Int64(SoundDrift.rate)) }

  /// Adds samples to the next second, or leaves so many out when negative.
  func stretch(by samples: Int) throws(RecorderFailure) {
    try check(
      swr_set_compensation(context, Int32(samples), Int32(SoundDrift.window)),
      "Sound cannot be stretched, \(RecorderFailure.withoutSound)")
  }

  /// Converts a microphone's samples.
  ///
  /// - Returns: samples whose channels alternate, 1 for full scale.
  func convert(_ bytes: [UInt8]) throws(RecorderFailure) -> [Float] {
    let count = bytes.count / format.frameByteCount
    // The library's bound does not know of the stretch.
    let capacity = Int(swr_get_out_samples(context, Int32(count))) + count / 50 + 256
    var result: Int32 = 0
    let samples = [Float](unsafeUninitializedCapacity: capacity * channelCount) { buffer, filled in
      bytes.withUnsafeBufferPointer { bytes in
        var input = bytes.baseAddress
        var output = UnsafeMutableRawPointer(buffer.baseAddress)?
          .assumingMemoryBound(to: UInt8.self)
        result = swr_convert(context, &output, Int32(capacity), &input, Int32(count))
      }
      filled = max(0, Int(result)) * channelCount
    }
    try check(result, "Sound cannot be resampled, \(RecorderFailure.withoutSound)")
    return samples
  }
}
