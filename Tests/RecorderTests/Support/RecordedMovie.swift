import Devices
import Glibc
import Recorder
import Synchronization
import TestSupport
import Testing

@testable import RecorderProgram

/// A part that is recorded in this process.
final class RecordedMovie {
  private let recording: PartRecording
  private let replies: Replies
  private let copy: (any MovieFile)?

  /// The replies so far, without those of frames and marks, which would fill the memory.
  final class Replies: Sendable {
    private let all = Mutex<[RecorderReply]>([])

    var values: [RecorderReply] { all.withLock { $0 } }

    func add(_ reply: RecorderReply) {
      switch reply {
      case .taken, .safe: break
      default: all.withLock { $0.append(reply) }
      }
    }
  }

  /// Begins a part, by default on a clock that stands still, so that no preset is too slow.
  ///
  /// - Parameter copy: the file for an ordinary copy of a fragmented movie; `nil` for none.
  init(
    _ part: RecorderPart, in file: any MovieFile, copy: (any MovieFile)? = nil,
    clock: any MonotonicClock = ManualClock(),
    microphone: (String) throws(RecorderFailure) -> any Microphone = {
      (name) throws(RecorderFailure) in throw .sound(name, "the test has none")
    },
    soundEncoder: (Int) throws(RecorderFailure) -> SoundEncoder = SoundEncoder.init(channelCount:)
  ) throws(RecorderFailure) {
    let replies = Replies()
    (self.replies, self.copy) = (replies, copy)
    recording = try PartRecording(
      part, file: file, clock: clock,
      report: { reply in
        if case .safe(let mark) = reply { (file as? JournalFile)?.note(mark) }
        replies.add(reply)
      }, openMicrophone: microphone, soundEncoder: soundEncoder)
  }

  /// The reason that the sound has ended; `nil` while it goes on.
  var soundEnd: String? {
    for case .soundEnded(let reason) in replies.values { return reason }
    return nil
  }

  /// The readings of the sound's level.
  var soundLevels: [Double] {
    replies.values.compactMap { if case .sound(let level) = $0 { level } else { nil } }
  }

  /// The sentences of the notices and refusals.
  var sentences: [String] {
    replies.values.compactMap { reply in
      switch reply {
      case .notice(let sentence), .refused(_, let sentence): sentence
      default: nil
      }
    }
  }

  func add(_ bytes: [UInt8], at instant: MonotonicInstant) throws(RecorderFailure) {
    let frame = RecorderFrame(number: 1, timestamp: instant, offset: 0, byteCount: bytes.count)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(RecorderFailure) in try recording.add(frame, bytes) }
    }
    try result.get()
  }

  /// Records frames and closes the part; leaves whole fragments after a failure.
  @discardableResult
  func record(_ frames: PaintedFrames) throws(RecorderFailure) -> RecordedPart {
    do throws(RecorderFailure) {
      for index in frames.times.indices {
        try add(frames.bytes(index), at: frames.instant(index))
      }
      return try close()
    } catch {
      recording.abandon()
      throw error
    }
  }

  func close() throws(RecorderFailure) -> RecordedPart {
    let part = try recording.close()
    guard let copy, part.recorded.form == .fragmented, part.recorded.frameCount > 0 else {
      return part.recorded
    }
    return try part.copy(into: copy)
  }
}

extension DescriptorFile {
  /// Makes an empty file at a path.
  convenience init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    self.init(descriptor: descriptor)
  }
}
