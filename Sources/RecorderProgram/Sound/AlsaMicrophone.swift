import CALSA
import Devices
import Glibc
import Recorder

/// A microphone through ALSA (libasound).
final class AlsaMicrophone: Microphone {
  /// The wanted length of the device's buffer, which frames a second apart and a slow disk need.
  private static let bufferMicroseconds: UInt32 = 4_000_000
  /// The wanted time between the device's reports of its position.
  private static let periodMicroseconds: UInt32 = 20_000

  let format: SoundFormat
  private let device: String
  private let handle: OpaquePointer
  private let clock = SystemMonotonicClock()
  private let begin: MonotonicInstant
  private var readCount = 0
  private var isAfterGap = false

  /// Opens a device by its name in ALSA's configuration, and starts it.
  ///
  /// - Throws: ``RecorderFailure`` when it is absent, in use, not permitted or unsuitable.
  init(device: String) throws(RecorderFailure) {
    // The sentences of the failures have the causes.
    CALSA_silence()
    var opened: OpaquePointer?
    let result = snd_pcm_open(&opened, device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard result >= 0, let opened else {
      throw .sound(device, AlsaMicrophone.cause(result))
    }
    do throws(Problem) {
      format = try AlsaMicrophone.chooseFormat(opened)
      try AlsaMicrophone.setTimestamps(opened)
      try AlsaMicrophone.check(snd_pcm_start(opened))
    } catch {
      snd_pcm_close(opened)
      throw .sound(device, AlsaMicrophone.cause(error.result))
    }
    self.device = device
    handle = opened
    begin = clock.now
  }

  deinit { snd_pcm_close(handle) }

  /// The negative result of a call.
  private struct Problem: Error {
    var result: Int32
  }

  private static func check(_ result: Int32) throws(Problem) {
    if result < 0 { throw Problem(result: result) }
  }

  /// Returns the cause of a negative result, a clause.
  static func cause(_ result: Int32) -> String {
    switch -result {
    case ENOENT, ENXIO: "there is no such device"
    case ENODEV: "the device is not there, or was unplugged"
    case EBUSY: "another program uses the device"
    case EACCES, EPERM: "the recorder may not use the device"
    default: String(cString: snd_strerror(result))
    }
  }

  private static func chooseFormat(_ handle: OpaquePointer) throws(Problem) -> SoundFormat {
    var parameters: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&parameters))
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(handle, parameters))
    // The resampler of the sound is better than a plugin's.
    snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
    try check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    let isShort = snd_pcm_hw_params_test_format(handle, parameters, SND_PCM_FORMAT_S16) == 0
    try check(
      snd_pcm_hw_params_set_format(
        handle, parameters, isShort ? SND_PCM_FORMAT_S16 : SND_PCM_FORMAT_S32))
    var channels: UInt32 = 2
    try check(snd_pcm_hw_params_set_channels_near(handle, parameters, &channels))
    var rate = UInt32(SoundDrift.rate)
    try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))
    guard (1...8).contains(channels), (8000...192_000).contains(rate) else {
      throw Problem(result: -EINVAL)
    }
    var (buffer, period) = (bufferMicroseconds, periodMicroseconds)
    snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &buffer, nil)
    snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil)
    try check(snd_pcm_hw_params(handle, parameters))
    return SoundFormat(
      rate: Int(rate), channelCount: Int(channels), sampleByteCount: isShort ? 2 : 4)
  }

  private static func setTimestamps(_ handle: OpaquePointer) throws(Problem) {
    var parameters: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&parameters))
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(handle, parameters))
    try check(snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE))
    try check(
      snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC))
    try check(snd_pcm_sw_params(handle, parameters))
  }

  func read() throws(RecorderFailure) -> SoundChunk? {
    // The position is asked of the device first, to which the timestamp then belongs.
    var available = snd_pcm_uframes_t(0)
    var stamp = timespec()
    let known = Int32(truncatingIfNeeded: snd_pcm_avail(handle))
    let result = known < 0 ? known : snd_pcm_htimestamp(handle, &available, &stamp)
    guard result >= 0 else {
      try restart(after: result)
      return nil
    }
    let limit = AlsaMicrophone.limit(
      after: begin.duration(to: clock.now), rate: format.rate, readCount: readCount)
    let wanted = min(Int(bitPattern: available), limit)
    guard wanted > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: wanted * format.frameByteCount)
    let count = bytes.withUnsafeMutableBytes { buffer in
      snd_pcm_readi(handle, buffer.baseAddress, snd_pcm_uframes_t(wanted))
    }
    guard count > 0 else {
      try restart(after: Int32(truncatingIfNeeded: count))
      return nil
    }
    bytes.removeLast((wanted - Int(count)) * format.frameByteCount)
    defer { (readCount, isAfterGap) = (readCount + Int(count), false) }
    let rest = Duration.seconds(Double(wanted - Int(count)) / Double(format.rate))
    return SoundChunk(
      bytes: bytes, end: instant(stamp).advanced(by: .zero - rest), isAfterGap: isAfterGap)
  }

  /// Returns the number of samples that a device can have now.
  ///
  /// A device without a clock, such as ALSA's `null`, would give sound without end. Any card that
  /// ``SoundDrift`` corrects is read whole, because it is fast by 0.5 % at most.
  static func limit(after duration: Duration, rate: Int, readCount: Int) -> Int {
    Int((duration.inMilliseconds / 1000 * 1.006 + 0.1) * Double(rate)) - readCount
  }

  private func instant(_ stamp: timespec) -> MonotonicInstant {
    // Some plugins have no timestamps.
    guard stamp.tv_sec > 0 else { return clock.now }
    return MonotonicInstant(nanoseconds: Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec))
  }

  /// Goes on after lost sound or a sleep of the machine; does nothing where nothing has happened.
  private func restart(after result: Int32) throws(RecorderFailure) {
    guard ![0, -EAGAIN, -EINTR].contains(result) else { return }
    guard [-EPIPE, -ESTRPIPE].contains(result) else {
      throw .sound(device, AlsaMicrophone.cause(result))
    }
    isAfterGap = true
    do throws(Problem) {
      try AlsaMicrophone.check(snd_pcm_prepare(handle))
      try AlsaMicrophone.check(snd_pcm_start(handle))
    } catch {
      throw .sound(device, AlsaMicrophone.cause(error.result))
    }
  }
}
