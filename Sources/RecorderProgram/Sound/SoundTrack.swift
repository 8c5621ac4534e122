import CFFmpeg
import Devices
import Recorder

/// The sound of a part, from its microphone to packets.
///
/// The sound begins with the first frame and has no gap: lost sound is silence, and the card's
/// clock is corrected by that of the frames. So packets follow each other without edit lists.
final class SoundTrack {
  /// The time without sound in microseconds after which the microphone is given up.
  private static let patience: Int64 = 3_000_000
  /// The most of a time without sound that one read in vain tells, in microseconds.
  ///
  /// After a pause of the frames the microphone may have been restarted by the read itself.
  private static let longestSilence: Int64 = 500_000
  /// The longest silence that is inserted, in samples: 10 s.
  private static let longestJump = 10 * SoundDrift.rate

  let encoder: SoundEncoder
  private let device: String
  private let microphone: any Microphone
  private let resampler: SoundResampler
  private let report: @Sendable (RecorderReply) -> Void
  private var drift = SoundDrift()
  private var level = SoundLevel()
  /// The samples that are not encoded, whose channels alternate.
  private var waiting: [Float] = []
  /// The place of the end of ``waiting``, and that of its beginning.
  private var end: Int64 = 0
  private var sent: Int64 = 0
  /// The place at which the sound ends; `nil` while it goes on.
  private var last: Int64?
  /// Whether the encoder has the end of the sound.
  private var isFinished = false
  /// The samples of each channel to leave out.
  private var surplus = 0
  /// The time of the last read, and the time in which reads were in vain, in microseconds.
  private var readTime: Int64 = 0
  private var silence: Int64 = 0

  /// Makes a track.
  ///
  /// - Parameters:
  ///   - device: the microphone's name.
  ///   - report: a closure that gets the level.
  ///   - makeEncoder: a closure that makes the encoder for a number of channels.
  /// - Throws: ``RecorderFailure`` when the sound cannot be converted or encoded.
  init(
    _ device: String, _ microphone: any Microphone,
    report: @escaping @Sendable (RecorderReply) -> Void,
    makeEncoder: (Int) throws(RecorderFailure) -> SoundEncoder
  ) throws(RecorderFailure) {
    (self.device, self.microphone, self.report) = (device, microphone, report)
    resampler = try SoundResampler(microphone.format)
    encoder = try makeEncoder(resampler.channelCount)
  }

  /// Reads the sound until now.
  ///
  /// - Parameters:
  ///   - origin: the instant of the part's first frame.
  ///   - time: the time of the newest frame in microseconds.
  /// - Throws: ``RecorderFailure`` when there will be no more sound.
  func read(from origin: MonotonicInstant, at time: Int64) throws(RecorderFailure) {
    defer { readTime = time }
    guard let chunk = try microphone.read() else {
      silence += min(time - readTime, SoundTrack.longestSilence)
      guard silence <= SoundTrack.patience else {
        throw .sound(device, "none has come for 3 s")
      }
      return
    }
    silence = 0
    let format = microphone.format
    let count = chunk.bytes.count / format.frameByteCount
    let step = drift.note(
      position: end + resampler.delay + Int64(count * SoundDrift.rate / format.rate)
        - Int64(surplus),
      due: Int64(origin.duration(to: chunk.end).inMilliseconds / 1000 * Double(SoundDrift.rate)),
      isAfterGap: chunk.isAfterGap)
    try take(step)
    let samples = try resampler.convert(chunk.bytes)
    let left = min(surplus, samples.count / encoder.channelCount)
    surplus -= left
    append(samples.dropFirst(left * encoder.channelCount))
  }

  private func take(_ step: SoundDrift.Step) throws(RecorderFailure) {
    switch step {
    case .keep: break
    case .stretch(let count): try resampler.stretch(by: count)
    case .jump(let count):
      guard abs(count) <= SoundTrack.longestJump else {
        throw .sound(device, "its times are not those of the frames")
      }
      if count > 0 { appendSilence(count) } else { surplus -= count }
    case .giveUp: throw .sound(device, "it does not give as many samples a second as it says")
    }
  }

  private func append(_ samples: ArraySlice<Float>) {
    waiting += samples
    end += Int64(samples.count / encoder.channelCount)
    if let level = level.note(samples) { report(.sound(level: level)) }
  }

  private func appendSilence(_ count: Int) {
    waiting += repeatElement(0, count: count * encoder.channelCount)
    end += Int64(count)
  }

  /// Ends the sound at a time in microseconds, in whole packets.
  ///
  /// - Parameter isFilled: whether silence fills the time up to its end.
  func finish(at time: Int64, isFilled: Bool) {
    let size = Int64(SoundEncoder.packetSampleCount)
    let limit = (SoundTrack.place(of: time) + size / 2) / size * size
    if isFilled, limit > end { appendSilence(Int(limit - end)) }
    last = min(limit, end / size * size)
  }

  /// Gives the next packet of the sound before a time in microseconds, or before its end.
  ///
  /// - Returns: whether there is one now.
  /// - Throws: ``RecorderFailure`` when the sound cannot be encoded, so that there will be no more.
  func receive(
    _ packet: UnsafeMutablePointer<AVPacket>, before time: Int64
  ) throws(RecorderFailure) -> Bool {
    let size = SoundEncoder.packetSampleCount
    let limit = last ?? SoundTrack.place(of: time)
    while true {
      while try encoder.receive(packet) {
        // A decoder makes the samples before the sound of the first packet.
        if (0..<limit).contains(packet.pointee.pts) { return true }
        av_packet_unref(packet)
      }
      if sent + Int64(size) <= min(limit, end) {
        try encoder.send(waiting[..<(size * encoder.channelCount)], at: sent)
        waiting.removeFirst(size * encoder.channelCount)
        sent += Int64(size)
      } else if last != nil, !isFinished {
        isFinished = true
        try encoder.finish()
      } else {
        return false
      }
    }
  }

  private static func place(of time: Int64) -> Int64 {
    time * Int64(SoundDrift.rate) / 1_000_000
  }
}
