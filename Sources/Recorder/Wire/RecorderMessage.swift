package import Devices

/// A message from the service to the recorder.
package enum RecorderRequest: Sendable, Hashable, Codable {
  /// Begins the part, with the descriptor of its file.
  case open(RecorderPart)
  /// Adds a frame, with the descriptor of its memory.
  case frame(RecorderFrame)
  /// Ends the part.
  case close
  /// Copies the closed part as an ordinary movie, with the descriptor of an empty file.
  case copy
}

/// The message about a frame.
package struct RecorderFrame: Sendable, Hashable, Codable {
  /// The number of the frame in the part, for its answer.
  package var number: Int
  /// The time of the frame on the monotonic clock.
  package var timestamp: MonotonicInstant
  /// The offset of the frame in its memory, in bytes.
  package var offset: Int
  /// The number of the frame's bytes in use.
  package var byteCount: Int

  package init(number: Int, timestamp: MonotonicInstant, offset: Int, byteCount: Int) {
    self.number = number
    self.timestamp = timestamp
    self.offset = offset
    self.byteCount = byteCount
  }
}

/// A message from the recorder to the service.
package enum RecorderReply: Sendable, Hashable, Codable {
  /// The recorder has started; the first message, in this form in all versions.
  case greeting(version: String)
  /// The part has begun, with this encoder.
  case opened(encoder: String)
  /// A frame has been encoded, and its memory is no longer read.
  case taken(number: Int)
  /// A frame cannot be used, as this sentence tells, and its memory is no longer read.
  case refused(number: Int, reason: String)
  /// A part of the file is on stable storage.
  case safe(RecorderMark)
  /// The level of the sound in dBFS, -96 to 0 (AES17: a full sine has 0).
  case sound(level: Double)
  /// The sound has ended before the part, as this sentence tells, or has not begun.
  case soundEnded(reason: String)
  /// Something has changed that the user should know, a sentence.
  case notice(String)
  /// The copy goes on; sent again and again while it takes long.
  case closing
  /// The part is closed or copied, and its file or the copy is on stable storage.
  case closed(RecordedPart)
  /// The part has ended with a failure, and what was safe is kept.
  case failed(RecorderFailure)
}

/// The place up to which a recording is on stable storage.
package struct RecorderMark: Sendable, Hashable, Codable {
  /// The instant before which all frames are safe.
  package var instant: MonotonicInstant
  /// The length of the file in bytes that holds them.
  package var byteCount: Int
  package init(instant: MonotonicInstant, byteCount: Int) {
    self.instant = instant
    self.byteCount = byteCount
  }
}
