import Devices

/// The end of a recording: its outcome and its gaps.
extension MovieRecording {
  /// Ends the recording once all parts are stored; it is stored if a part is kept.
  mutating func finish(now: MonotonicInstant) -> [Action] {
    guard unstored.isEmpty else { return [] }
    stage = .finished
    let endedAt = endedAt ?? now
    guard let end, !parts.isEmpty else {
      return [.finish(.refused(cause))]
    }
    return [
      .finish(
        .stored(
          StoredMovie(
            parts: parts, gaps: gaps(until: endedAt), droppedFrameCount: droppedFrameCount,
            end: end, beganAt: startedAt, endedAt: endedAt)))
    ]
  }

  /// The error of a recording without a frame.
  private var cause: MovieError {
    for case (_, .writerFailed(let error)) in reasons { return error }
    return MovieError(
      .nothingRecorded, problem: "is empty and not kept",
      cause: "it ended before its first frame was written")
  }

  /// Returns the times before, between and after the kept parts that have a reason.
  private func gaps(until end: MonotonicInstant) -> [MovieGap] {
    var gaps: [MovieGap] = []
    var from = (part: 0, time: startedAt)
    func add(until part: Int, _ time: MonotonicInstant) {
      var found: [MovieGap.Reason] = []
      for (number, reason) in reasons
      where from.part <= number && number < part && !found.contains(reason) {
        found.append(reason)
      }
      guard !found.isEmpty else { return }
      gaps.append(MovieGap(beganAt: from.time, endedAt: max(from.time, time), reasons: found))
    }
    for span in spans {
      add(until: span.part, span.first)
      from = (span.part, span.last)
    }
    add(until: .max, end)
    return gaps
  }
}
