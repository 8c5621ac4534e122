import Capture
import Devices
import Glibc
import Logging
import Recorder
import ServiceLifecycle
import Spool

/// The end of a part: its recorder closes the file, which becomes an item of the spool.
extension SpoolMovieWriter {
  func close() async throws(MovieError) -> WrittenMoviePart {
    guard var part else {
      throw MovieError(.writerFailed, problem: "has ended", cause: "it has no part")
    }
    self.part = nil
    var end: Result<RecordedPart.Form, RecorderFailure>
    var written = WrittenMoviePart(
      number: part.number, duration: .zero, frameCount: 0, byteCount: 0, encoder: "none")
    do throws(RecorderFailure) {
      let recorded = try await part.recorder.close()
      written.duration = recorded.duration
      written.frameCount = recorded.frameCount
      written.byteCount = Int64(recorded.byteCount)
      end = .success(recorded.form)
    } catch {
      end = .failure(error)
    }
    let isLost = end.loss != nil
    let counts = await part.recorder.counts
    note(counts)
    if isLost, counts.encoder == RecorderPart.hardwareEncoder {
      place.ownHardware.distrust(at: place.clock.now)
      warnOfHardware()
    }
    written.encoder = counts.encoder ?? written.encoder
    written.droppedFrameCount = counts.unusable
    written.soundEnd = counts.soundEnd
    if isLost {
      // A fragment may be safe although the recorder could not tell.
      let leastCount = min(frames.takenCount, 1)
      (written.duration, written.frameCount) = (frames.duration, max(leastCount, frames.count))
      written.byteCount = Int64(counts.safe?.byteCount ?? 0)
    }
    guard written.frameCount > 0 else {
      await place.spool.discard(part.recording)
      return written
    }
    if !isLost || frames.count > 0 {
      let missing = await place.droppedFrameCount() - part.droppedBefore
      part.metadata.durationNanoseconds = written.duration.wholeNanoseconds
      part.metadata.frameCount = Int64(written.frameCount)
      part.metadata.droppedFrames = Int64(max(0, missing + frames.takenCount - written.frameCount))
    }
    part.metadata.soundEnd = written.soundEnd
    closed = (part, end)
    return written
  }

  func warnOfHardware() {
    place.logger.warning(
      "a recorder has failed with the hardware's encoder, so software encodes the next parts")
  }

  func store(_ written: WrittenMoviePart) async throws(MovieError) -> WrittenMoviePart {
    guard let (part, end) = closed else {
      throw MovieError(.writerFailed, problem: "has ended", cause: "it has no part")
    }
    closed = nil
    if case .success(.fragmented) = end { await makeOrdinary(part, written) }
    do throws(SpoolError) {
      let stored = try await place.spool.store(part.recording, metadata: part.metadata)
      var written = written
      written.byteCount = stored.byteCount
      written.itemID = stored.id.description
      return written
    } catch {
      // A part with safe frames stays in its place.
      guard error.code == .invalid, frames.count == 0 else {
        await place.spool.storeLater(part.recording, metadata: part.metadata, after: error)
        throw MovieError(error, problem: "has a part that is kept and stored later")
      }
      await place.spool.discard(part.recording)
      throw MovieError(
        .writerFailed, problem: "has lost a part",
        cause: end.loss?.description ?? error.description)
    }
  }

  /// Copies a fragmented file as an ordinary movie, where there is room; else it stays as it is.
  private func makeOrdinary(_ part: Part, _ written: WrittenMoviePart) async {
    let problem: String
    do throws(SpoolError) {
      let path = try await place.spool.beginCopy(
        of: part.recording, metadata: part.metadata,
        roomForBytes: written.byteCount + part.roomByteCount)
      if let failure = await copy(part, written, to: path) {
        problem = failure
      } else {
        return try await place.spool.takeCopy(of: part.recording)
      }
    } catch {
      problem = error.description
    }
    await part.recorder.end()
    await place.spool.discardCopy(of: part.recording)
    place.logger.notice(
      "a recording stays in fragments, which players play too",
      metadata: ["item.id": "\(part.recording.id)", "error": "\(problem)"])
  }

  /// Copies the file of a part; returns the problem, or `nil` for a copy on stable storage.
  private func copy(
    _ part: Part, _ written: WrittenMoviePart, to path: String
  ) async -> String? {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return SystemError.last.description }
    defer { Glibc.close(file) }
    // The end of the service, or of the spool, does not wait for a long copy.
    let recorder = part.recorder
    let events = await place.spool.events()
    let watch = Task {
      for await _ in events {}
      if !Task.isCancelled { await recorder.kill() }
    }
    // Pictures and the next part need room meanwhile, and the copy gives up its own first.
    let roomWatch = Task { [place] in
      while (try? await place.clock.sleep(for: .seconds(1))) != nil, !Task.isCancelled {
        guard
          await place.spool.hasRoom(
            forCopyOf: part.recording, bytes: written.byteCount + part.roomByteCount)
        else { return await recorder.kill() }
      }
    }
    defer {
      watch.cancel()
      roomWatch.cancel()
    }
    return await withGracefulShutdownHandler {
      do throws(RecorderFailure) {
        _ = try await recorder.copy(into: file)
        return nil
      } catch {
        return error.description
      }
    } onGracefulShutdown: {
      Task { await recorder.kill() }
    }
  }
}

extension Result<RecordedPart.Form, RecorderFailure> {
  fileprivate var loss: RecorderFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
