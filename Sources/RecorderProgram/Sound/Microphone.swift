import Devices
import Recorder

/// A microphone that is read without waiting; the sound until then waits in its own buffer.
protocol Microphone {
  /// The form of the samples.
  var format: SoundFormat { get }

  /// Returns the sound since the last read; `nil` when there is none.
  ///
  /// - Throws: ``RecorderFailure`` when there will be no more sound; see ``RecorderFailure/sound``.
  func read() throws(RecorderFailure) -> SoundChunk?
}

/// The form of a microphone's samples, which are signed integers in the machine's byte order.
struct SoundFormat: Sendable, Hashable {
  /// The samples a second of each channel.
  var rate: Int
  /// The number of channels, 1 to 8, whose samples alternate.
  var channelCount: Int
  /// The bytes of a sample, 2 or 4.
  var sampleByteCount: Int

  /// The bytes of one sample of all channels.
  var frameByteCount: Int { channelCount * sampleByteCount }
}

/// The sound of one read.
struct SoundChunk: Sendable {
  /// The samples.
  var bytes: [UInt8]
  /// The instant at which the last sample was taken.
  var end: MonotonicInstant
  /// Whether sound was lost before the first sample.
  var isAfterGap = false
}

extension RecorderFailure {
  /// The clause of a failure of the sound that tells what happens next.
  static let withoutSound = "and the movie is recorded without"

  /// Makes the failure of a microphone, after which the movie goes on without sound.
  ///
  /// - Parameter cause: a clause.
  static func sound(_ device: String, _ cause: String) -> RecorderFailure {
    RecorderFailure(
      "The microphone \"\(device)\" gives no sound, \(withoutSound): \(cause).")
  }
}
