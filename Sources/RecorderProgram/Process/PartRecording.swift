import CFFmpeg
import Devices
import Recorder

/// The recording of one part, from its first frame to the closed file.
final class PartRecording {
  private let part: RecorderPart
  private let file: any MovieFile
  private let clock: any MonotonicClock
  private let report: @Sendable (RecorderReply) -> Void
  private let source: PictureSource
  private let movie: FragmentedMovie
  private let sync: FragmentSync
  private let packet: UnsafeMutablePointer<AVPacket>
  private var encoder: VideoEncoder
  /// The sound; `nil` without any, and after its end.
  private var sound: SoundTrack?
  private var pace: EncodingPace?
  private var schedule = FragmentSchedule()
  private var first: MonotonicInstant?
  /// The time of the last frame in microseconds, and the time from the one before to it.
  private var last: Int64 = -1
  /// The time of writing the last frame, in which a full card stalls and no preset is to blame.
  private var writing = Duration.zero
  private var gap: Int64
  private var frameCount = 0
  private var unusableFrameCount = 0
  /// The longest time between frames in microseconds, for which the muxer has 31 bits.
  private static let longestGap: Int64 = 1_800_000_000
  /// The time that a disk may take for a fragment until the user is told.
  private static let longestDelay = Duration.seconds(2)
  /// The length of the file up to its last whole fragment.
  private var wholeByteCount: Int64 = 0
  /// Whether the user knows that the disk is behind.
  private var hasToldDelay = false

  /// Begins a part.
  ///
  /// - Parameters:
  ///   - report: a closure that gets the replies, also on the thread of ``FragmentSync``.
  ///   - openMicrophone: a closure that opens a microphone by its name.
  ///   - soundEncoder: a closure that makes the encoder of sound for a number of channels.
  /// - Throws: ``RecorderFailure`` when the wishes are impossible or no encoder can be opened.
  init(
    _ part: RecorderPart, file: any MovieFile,
    clock: any MonotonicClock, report: @escaping @Sendable (RecorderReply) -> Void,
    openMicrophone: (String) throws(RecorderFailure) -> any Microphone = {
      (device) throws(RecorderFailure) in try AlsaMicrophone(device: device)
    },
    soundEncoder: (Int) throws(RecorderFailure) -> SoundEncoder = SoundEncoder.init(channelCount:)
  ) throws(RecorderFailure) {
    // The sentences of the replies have the causes.
    av_log_set_level(AV_LOG_QUIET)
    if let problem = part.problem { throw RecorderFailure(problem) }
    guard let packet = av_packet_alloc() else {
      throw RecorderFailure("There is no memory for a recording.")
    }
    self.packet = packet
    (self.part, self.file) = (part, file)
    (self.clock, self.report) = (clock, report)
    gap = Int64(1_000_000 / part.frameRate)
    source = try PictureSource(part.format, size: part.size)
    if let device = part.sound {
      do throws(RecorderFailure) {
        sound = try SoundTrack(
          device, try openMicrophone(device), report: report, makeEncoder: soundEncoder)
      } catch {
        report(.soundEnded(reason: error.description))
      }
    }
    movie = try FragmentedMovie(file, rotation: part.rotation, sound: sound?.encoder)
    sync = FragmentSync(file, clock: clock) { report(.safe($0)) }
    if part.prefersHardware,
      let hardware = try? VideoEncoder(.hardware, picture: source, part: part)
    {
      encoder = hardware
    } else {
      let pace = EncodingPace(interval: .seconds(1 / part.frameRate))
      encoder = try VideoEncoder(.software(pace.preset), picture: source, part: part)
      self.pace = pace
    }
    report(.opened(encoder: encoder.name))
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  /// Adds a frame, whose bytes are not read after the call.
  ///
  /// - Throws: ``RecorderFailure`` when the part cannot go on.
  func add(_ frame: RecorderFrame, _ bytes: UnsafeRawBufferPointer) throws(RecorderFailure) {
    try sync.check()
    let beginning = clock.now
    writing = .zero
    let first = first ?? frame.timestamp
    let time = (frame.timestamp.nanoseconds &- first.nanoseconds) / 1000
    let picture: UnsafeMutablePointer<AVFrame>
    do throws(RecorderFailure) {
      guard time > last, (0..<1 << 62).contains(frame.timestamp.nanoseconds) else {
        throw RecorderFailure("A frame is not later than the one before, so it is left out.")
      }
      picture = try source.picture(of: bytes)
    } catch {
      unusableFrameCount += 1
      return report(.refused(number: frame.number, reason: error.description))
    }
    if last >= 0, time - last > PartRecording.longestGap {
      throw RecorderFailure(
        "A frame came more than half an hour after the one before: the part ends.")
    }
    picture.pointee.pts = time
    picture.pointee.pict_type =
      schedule.begins(at: time) ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    if last >= 0 { gap = time - last }
    (self.first, last) = (first, time)
    try encoder.send(picture)
    try writeEncoded()
    tellDelay()
    report(.taken(number: frame.number))
    let encoding = beginning.duration(to: clock.now) - writing
    // The time for writing is none for encoding.
    let notice = try pace?.note(encoding, after: .microseconds(gap) - writing) {
      (preset) throws(RecorderFailure) in try change(to: preset)
    }
    if let notice { report(.notice(notice)) }
    try addSound(from: first, before: time)
  }

  /// Writes the sound before a time in microseconds; a microphone without sound ends it alone.
  private func addSound(
    from first: MonotonicInstant, before time: Int64
  ) throws(RecorderFailure) {
    guard let sound else { return }
    do throws(RecorderFailure) {
      try sound.read(from: first, at: time)
    } catch {
      endSound(error)
      sound.finish(at: time, isFilled: false)
    }
    try write(sound, before: time)
  }

  /// Writes a track's packets before a time in microseconds; an encoder that fails ends it alone.
  private func write(_ sound: SoundTrack, before time: Int64) throws(RecorderFailure) {
    guard movie.hasHeader else { return }
    while true {
      do throws(RecorderFailure) {
        guard try sound.receive(packet, before: time) else { return }
      } catch {
        return endSound(error)
      }
      defer { av_packet_unref(packet) }
      try movie.writeSound(packet)
    }
  }

  /// Tells the end of the sound, once.
  private func endSound(_ failure: RecorderFailure) {
    guard sound != nil else { return }
    sound = nil
    report(.soundEnded(reason: failure.description))
  }

  /// Has another preset encode the next frames; returns whether it can.
  private func change(to preset: EncodingPace.Preset) throws(RecorderFailure) -> Bool {
    // The file has one description for all of its frames.
    guard let next = try? VideoEncoder(.software(preset), picture: source, part: part),
      next.parameterSets == encoder.parameterSets
    else { return false }
    try encoder.send(nil)
    try writeEncoded()
    encoder = next
    schedule.restart()
    return true
  }

  private func writeEncoded() throws(RecorderFailure) {
    while try encoder.receive(packet) {
      defer { av_packet_unref(packet) }
      let time = packet.pointee.pts
      packet.pointee.dts = time
      packet.pointee.duration = gap
      let beginning = clock.now
      let hasEnded = try movie.write(packet, from: encoder)
      writing += beginning.duration(to: clock.now)
      frameCount += 1
      if hasEnded { begin(syncBefore: time) }
    }
  }

  private func begin(syncBefore time: Int64) {
    guard let first else { return }
    wholeByteCount = movie.byteCount
    sync.begin(
      RecorderMark(
        instant: MonotonicInstant(nanoseconds: first.nanoseconds + time * 1000),
        byteCount: Int(wholeByteCount)), movie.takeOverwrites())
  }

  /// Tells the user, once, of a disk that is behind.
  private func tellDelay() {
    guard sync.delay > PartRecording.longestDelay, !hasToldDelay else { return }
    hasToldDelay = true
    report(
      .notice(
        "The disk is more than two seconds behind, so a power cut would lose more of the recording "
          + "than its last second."))
  }

  /// Ends the part; its file is whole and on stable storage.
  ///
  /// - Throws: ``RecorderFailure`` when the file cannot be written.
  func close() throws(RecorderFailure) -> ClosedPart {
    if let first {
      try encoder.send(nil)
      try writeEncoded()
      try addSound(from: first, before: last)
      if let sound {
        sound.finish(at: last + gap, isFilled: true)
        try write(sound, before: last + gap)
      }
      sound = nil
    }
    try movie.close()
    if frameCount > 0 { begin(syncBefore: last + gap) }
    tellDelay()
    try sync.wait()
    let recorded = RecordedPart(
      duration: .microseconds(frameCount > 0 ? last + gap : 0), frameCount: frameCount,
      unusableFrameCount: unusableFrameCount, byteCount: Int(movie.byteCount),
      encoder: encoder.name, form: movie.isOrdinaryWhenClosed ? .ordinary : .fragmented)
    return ClosedPart(
      file: file, recorded: recorded, rotation: part.rotation, clock: clock, report: report)
  }

  /// Leaves the file with its whole fragments only, after a failure.
  func abandon() {
    // After a failed synchronization the file is left alone.
    guard (try? sync.wait()) != nil else { return }
    try? file.truncate(to: wholeByteCount)
    try? file.synchronize()
  }
}
