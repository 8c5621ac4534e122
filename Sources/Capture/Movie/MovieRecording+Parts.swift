import Devices

/// The life of a part: opened for a frame, appended to, closed and stored.
extension MovieRecording {
  /// Takes a frame of the stream: begins a part, appends the frame, or drops it.
  mutating func frameArrived(_ frame: FrameInfo, now: MonotonicInstant) -> [Action] {
    switch stage {
    case .waiting:
      guard isWanted, let source, isNew(frame), retryAt.map({ $0 <= now }) ?? true else {
        return []
      }
      newestTimestamp = frame.timestamp
      partNumber += 1
      part = Part(source: source)
      (soundLevel, soundEnd) = (nil, nil)
      stage = .opening
      return [.openPart(makePart(of: source, beganAt: frame.timestamp))]
    case .open: return offer(frame, now: now)
    case .opening, .closing, .finished: return []
    }
  }

  private func isNew(_ frame: FrameInfo) -> Bool { newestTimestamp < frame.timestamp }

  private func makePart(of source: MovieSource, beganAt: MonotonicInstant) -> MoviePart {
    var maximumArea: Int?
    if case .limited(let pixels) = constraints.movie { maximumArea = pixels }
    return MoviePart(
      recording: number, press: settings.press, number: partNumber, camera: source.camera,
      format: source.format,
      size: settings.preset.size(of: source.format.size, maximumArea: maximumArea),
      captureAngle: (rigAngle + source.cameraAngle) % 360, beganAt: beganAt,
      frameRate: frameRate,
      expectedFrameRate: [frameRate, source.frameRate].compactMap { $0 }.min(),
      compression: settings.compression, hasSound: settings.hasSound)
  }

  /// Appends a frame to the open part if it is due and the writer can follow.
  private mutating func offer(_ frame: FrameInfo, now: MonotonicInstant) -> [Action] {
    guard var part else { return [] }
    // After a stall, a camera may give old frames.
    guard isNew(frame) else { return drop() }
    // A frame that comes a little early is still the one that is due.
    if let frameInterval {
      guard part.due.map({ $0.advanced(by: .zero - frameInterval / 4) <= frame.timestamp }) ?? true
      else { return [] }
      let next = (part.due ?? frame.timestamp).advanced(by: frameInterval)
      part.due = max(next, frame.timestamp)
      self.part = part
    }
    let begin = part.begin ?? frame.timestamp
    if let limit = settings.limits.duration,
      keptTime + begin.duration(to: frame.timestamp) > limit
    {
      return stop(.limit(.duration), now: now)
    }
    guard part.pending.count < part.source.waitingFrameLimit else { return drop() }
    newestTimestamp = frame.timestamp
    part.begin = begin
    part.pending.append(frame)
    self.part = part
    return [.append(frame)]
  }

  private mutating func drop() -> [Action] {
    droppedFrameCount += 1
    return []
  }

  // MARK: The writer's answers

  /// Takes the readiness of the writer, whose part may no longer be wanted.
  mutating func opened() -> [Action] {
    guard stage == .opening else { return [] }
    stage = .open
    return isWanted && part?.source == source ? [] : closePart()
  }

  mutating func openFailed(_ error: MovieError, now: MonotonicInstant) -> [Action] {
    guard stage == .opening else { return [] }
    part = nil
    fail(error, now: now)
    // At the start, a quick answer is better than another attempt.
    if parts.isEmpty { give(up: error, now: now) }
    return becomeFree(now: now)
  }

  mutating func appended(_ result: MovieAppendResult, now: MonotonicInstant) -> [Action] {
    guard var part, !part.pending.isEmpty else { return [] }
    let time = part.pending.removeFirst().timestamp
    switch result {
    case .written(let progress):
      let first = part.written?.first ?? time
      part.written = (first, time)
      part.frameCount += 1
      part.byteCount = progress?.byteCount ?? part.byteCount
      soundEnd = progress?.soundEnd ?? soundEnd
      soundLevel = soundEnd == nil ? progress?.soundLevel ?? soundLevel : nil
      self.part = part
      if first.duration(to: time) >= Self.provenTime { failureCount = 0 }
      guard let progress, let limit = limit(reachedBy: progress) else { return [] }
      return stop(.limit(limit), now: now)
    case .dropped:
      self.part = part
      return drop()
    case .failed(let error):
      droppedFrameCount += 1
      let isFirst = !part.hasFailed
      part.hasFailed = true
      self.part = part
      if isFirst { fail(error, now: now) }
      return stage == .open ? closePart() : []
    }
  }

  private func limit(reachedBy progress: MovieProgress) -> MovieLimit? {
    if let most = settings.limits.byteCount, status.byteCount >= most { return .byteCount }
    if let least = settings.limits.freeByteCount, let free = progress.freeByteCount, free < least {
      return .freeSpace
    }
    return nil
  }

  /// Takes the end of a part, which is kept if its file has a frame.
  mutating func closed(
    _ result: Result<WrittenMoviePart, MovieError>, now: MonotonicInstant
  ) -> [Action] {
    guard stage == .closing, let part else { return [] }
    self.part = nil
    droppedFrameCount += part.pending.count
    var kept = 0
    var actions: [Action] = []
    switch result {
    case .success(let closed):
      if let written = part.written, closed.frameCount > 0 {
        kept = closed.frameCount
        parts.append(closed)
        spans.append(Span(part: closed.number, first: written.first, last: written.last))
        unstored[closed.number] = part.hasFailed
        actions = [.storePart(closed)]
      } else if part.frameCount > 0, !part.hasFailed {
        let lost = MovieError(
          .writerFailed, problem: "has lost a part", cause: "the writer's file has no frame")
        fail(lost, now: now)
      }
    case .failure(let error):
      if !part.hasFailed { fail(error, now: now) }
    }
    droppedFrameCount += max(0, part.frameCount - kept)
    return actions + becomeFree(now: now)
  }

  private mutating func becomeFree(now: MonotonicInstant) -> [Action] {
    stage = .waiting
    return end == nil ? [] : finish(now: now)
  }

  /// Takes the result of storing a kept part; one that is not stored becomes a gap.
  mutating func stored(
    _ number: Int, _ result: Result<WrittenMoviePart, MovieError>, now: MonotonicInstant
  ) -> [Action] {
    guard let hasFailed = unstored.removeValue(forKey: number),
      let index = parts.firstIndex(where: { $0.number == number })
    else { return [] }
    switch result {
    case .success(let part): parts[index] = part
    case .failure(let error):
      let lostCount = parts.remove(at: index).frameCount
      droppedFrameCount += lostCount
      lostFrameCount += lostCount
      spans.removeAll { $0.part == number }
      // The end of a recorder and the loss of its file are one failure.
      if !hasFailed {
        reasons.append((number, .writerFailed(error)))
        countFailure(error, now: now)
      }
    }
    guard end != nil else { return [] }
    return switch stage {
    case .open: closePart()
    case .waiting: finish(now: now)
    case .opening, .closing, .finished: []
    }
  }

  // MARK: Failures

  /// Notes a failure of the writer, after which the next part waits a while.
  private mutating func fail(_ error: MovieError, now: MonotonicInstant) {
    note(.writerFailed(error))
    countFailure(error, now: now)
  }

  private mutating func countFailure(_ error: MovieError, now: MonotonicInstant) {
    failureCount += 1
    retryAt = now.advanced(by: .seconds(failureCount))
    if failureCount >= Self.maximumFailureCount { give(up: error, now: now) }
  }

  private mutating func give(up error: MovieError, now: MonotonicInstant) {
    guard end == nil else { return }
    end = .writerFailed(error)
    endedAt = now
  }
}
