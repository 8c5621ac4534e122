package import Devices

/// Writes one part of a recording.
///
/// The calls come one after the other: ``open(_:)``, then frames, ``close()``, and ``store(_:)``.
/// No call may last for ever: a writer whose process hangs ends it and fails. A writer is an actor
/// with an executor of its own where its calls block.
package protocol MovieWriter: Sendable {
  /// Begins the part.
  ///
  /// - Throws: ``MovieError``; nothing of the part is kept then, and no other call follows.
  func open(_ part: MoviePart) async throws(MovieError)

  /// Takes a frame, whose ``FrameInfo/timestamp`` is later than that of the frame before.
  ///
  /// The lease ends when the call returns. The session drops frames while it lasts too long.
  func append(_ frame: FrameLease) async -> MovieAppendResult

  /// Ends the part, also after the writer has failed, and returns what is in its file.
  ///
  /// A file without a frame is not kept, and not stored.
  ///
  /// - Throws: ``MovieError`` when no frame of the part can be kept.
  func close() async throws(MovieError) -> WrittenMoviePart

  /// Stores the closed part for good, while the writer of the next part gets calls.
  ///
  /// - Returns: the part with the length and the ID of the stored file.
  /// - Throws: ``MovieError`` when the part is not stored.
  func store(_ part: WrittenMoviePart) async throws(MovieError) -> WrittenMoviePart
}

/// The result of ``MovieWriter/append(_:)``.
package enum MovieAppendResult: Sendable, Hashable {
  /// The reason that a frame is not in the movie.
  package enum Drop: String, Sendable, Hashable {
    /// The camera has overwritten the frame before the writer was ready for it.
    case overwritten
    /// The encoder was not ready for the frame.
    case encoderBusy
    /// The frame cannot be read.
    case unreadable
  }

  /// The writer has the frame; with the progress, if there is news of it.
  case written(MovieProgress?)
  /// The frame is not in the movie, and the part goes on.
  case dropped(Drop)
  /// The writer takes no frames any more; the part is closed.
  case failed(MovieError)
}

/// The state of a part that is being written.
package struct MovieProgress: Sendable, Hashable {
  /// The length of the file in bytes.
  package var byteCount: Int64
  /// The number of free bytes beside the file; `nil` when it is unknown.
  package var freeByteCount: Int64?
  /// The level of the sound in decibels below full scale, 0 or less; `nil` without sound.
  package var soundLevel: Double?
  /// The reason that the part's sound has ended; `nil` while it goes on or without sound.
  package var soundEnd: String?

  package init(
    byteCount: Int64, freeByteCount: Int64? = nil, soundLevel: Double? = nil,
    soundEnd: String? = nil
  ) {
    self.byteCount = byteCount
    self.freeByteCount = freeByteCount
    self.soundLevel = soundLevel
    self.soundEnd = soundEnd
  }
}
