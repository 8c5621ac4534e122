import Devices
import Recorder

/// The closed file of a part, which can be copied as an ordinary movie.
struct ClosedPart {
  let file: any MovieFile
  /// The part with the numbers of its file.
  let recorded: RecordedPart
  /// The clockwise turn in degrees: 0, 90, 180 or 270.
  let rotation: Int
  let clock: any MonotonicClock
  let report: @Sendable (RecorderReply) -> Void

  /// Copies the file; the copy is on stable storage on return.
  ///
  /// - Returns: the part in the form of its copy.
  /// - Throws: ``RecorderFailure`` without a whole copy; the closed file is as it was.
  func copy(into copy: any MovieFile) throws(RecorderFailure) -> RecordedPart {
    var reported = clock.now
    let count = try OrdinaryCopy.make(
      of: file, byteCount: Int64(recorded.byteCount), in: copy, rotation: rotation
    ) {
      let now = clock.now
      guard reported.duration(to: now) > .milliseconds(500) else { return }
      reported = now
      report(.closing)
    }
    var copied = recorded
    (copied.byteCount, copied.form) = (Int(count), .ordinaryCopy)
    return copied
  }
}
