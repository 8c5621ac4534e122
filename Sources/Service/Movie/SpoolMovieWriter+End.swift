import Capture
import Devices
import Logging
import Recorder
import Spool

/// The end of a part: its recorder closes the file, which becomes an item of the spool.
extension SpoolMovieWriter {
  func close() async throws(MovieError) -> WrittenMoviePart {
    guard var part else {
      throw MovieError(.writerFailed, problem: "has ended", cause: "it has no part")
    }
    self.part = nil
    var loss: RecorderFailure?
    var written = WrittenMoviePart(
      number: part.number, duration: .zero, frameCount: 0, byteCount: 0, encoder: "none")
    do throws(RecorderFailure) {
      let recorded = try await part.recorder.close()
      written.duration = recorded.duration
      written.frameCount = recorded.frameCount
      written.byteCount = Int64(recorded.byteCount)
    } catch {
      loss = error
    }
    let counts = await part.recorder.counts
    note(counts)
    if loss != nil, counts.encoder == RecorderPart.hardwareEncoder { distrustHardware() }
    written.encoder = counts.encoder ?? written.encoder
    written.droppedFrameCount = counts.unusable
    written.soundEnd = counts.soundEnd
    if loss != nil {
      // A fragment may be safe although the recorder could not tell.
      let leastCount = min(frames.takenCount, 1)
      (written.duration, written.frameCount) = (frames.duration, max(leastCount, frames.count))
      written.byteCount = Int64(counts.safe?.byteCount ?? 0)
    }
    guard written.frameCount > 0 else {
      await place.spool.discard(part.recording)
      return written
    }
    if loss == nil || frames.count > 0 {
      let missing = await place.droppedFrameCount() - part.droppedBefore
      part.metadata.durationNanoseconds = written.duration.wholeNanoseconds
      part.metadata.frameCount = Int64(written.frameCount)
      part.metadata.droppedFrames = Int64(max(0, missing + frames.takenCount - written.frameCount))
    }
    part.metadata.soundEnd = written.soundEnd
    closed = (part, loss)
    return written
  }

  private func distrustHardware() {
    place.hardware.distrust()
    place.logger.warning(
      "a recorder has failed with the hardware's encoder, so software encodes the next parts")
  }

  func store(_ written: WrittenMoviePart) async throws(MovieError) -> WrittenMoviePart {
    guard let (part, loss) = closed else {
      throw MovieError(.writerFailed, problem: "has ended", cause: "it has no part")
    }
    closed = nil
    do throws(SpoolError) {
      let stored = try await place.spool.store(part.recording, metadata: part.metadata)
      var written = written
      written.byteCount = stored.byteCount
      written.itemID = stored.id.description
      return written
    } catch {
      // A part with safe frames stays in its place, and the next start of the service stores it.
      guard error.code == .invalid, frames.count == 0 else {
        throw MovieError(error, problem: "has a part that is not stored")
      }
      await place.spool.discard(part.recording)
      throw MovieError(
        .writerFailed, problem: "has lost a part", cause: loss?.description ?? error.description)
    }
  }
}
