import API
import Devices
import Synchronization

/// A broadcast of the preview: each picture is made once for all viewers of its size.
///
/// ``PreviewPacing`` decides when pictures are made, and who gets them. A picture is made only while
/// a viewer waits for one, so a viewer that does not read costs nothing. The caller limits the
/// number of viewers.
final class PreviewBroadcast: Sendable {
  fileprivate typealias Answer = Result<PreviewPicture?, APIError>

  private struct State {
    var pacing = PreviewPacing()
    var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    /// The reasons of viewers that were ended while they did not wait, until they are told or stop.
    var untold: [Int: APIError] = [:]
    var nextViewer = 0
    var isRunning = false
  }

  /// The longest time between two looks at the source while somebody watches.
  static let tick = Duration.milliseconds(500)

  private let source: any PreviewSource
  private let clock: any MonotonicClock
  private let state = Mutex(State())
  private let wake = WakeSignal()

  /// Makes a broadcast without viewers, which does nothing.
  init(source: any PreviewSource, clock: any MonotonicClock) {
    self.source = source
    self.clock = clock
  }

  /// Begins to watch.
  func watch(_ wanted: PreviewStreamRequest) -> any PreviewViewer {
    let now = clock.now
    let (number, isFirst) = state.withLock { state in
      state.nextViewer += 1
      state.pacing.join(
        state.nextViewer, within: FrameSize(width: wanted.width, height: wanted.height),
        every: .seconds(1) / wanted.fps, at: now)
      defer { state.isRunning = true }
      return (state.nextViewer, !state.isRunning)
    }
    // The task ends with the last viewer.
    if isFirst { Task { await run() } }
    return Viewer(of: self, number: number)
  }

  // MARK: Making pictures

  private func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await frame in await self.source.arrivals() {
          self.state.withLock { $0.pacing.frameCame(frame) }
          self.wake.give()
        }
      }
      while isWatched() {
        wake.reset()
        await makePictures()
        await clock.sleep(until: clock.now.advanced(by: Self.tick), or: wake)
      }
      group.cancelAll()
    }
  }

  /// Returns whether somebody watches; otherwise the next viewer begins anew.
  private func isWatched() -> Bool {
    state.withLock { state in
      state.isRunning = !state.pacing.isEmpty
      return state.isRunning
    }
  }

  private func makePictures() async {
    let began = clock.now
    let limits = state.withLock { $0.pacing.due(at: began) }
    guard !limits.isEmpty else { return }
    let outcome = await source.shot(within: limits)
    let now = clock.now
    switch outcome {
    case .success(let shot): deliver(shot, began: began, ended: now)
    case .failure(.busy(let error)): end(with: error) { $0.busy(at: now) }
    case .failure(.outage(let error)): end(with: error) { $0.outage(at: now) }
    case .failure(.stopped(let error)): end(with: error) { $0.endAll() }
    }
  }

  private func deliver(_ shot: PreviewShot, began: MonotonicInstant, ended: MonotonicInstant) {
    let served = state.withLock { state in
      let served = state.pacing.made(
        shot.frame, within: Set(shot.pictures.keys), began: began, ended: ended, pause: shot.pause)
      return served.compactMap { number, limit in
        state.waiting.removeValue(forKey: number).map { ($0, shot.pictures[limit]) }
      }
    }
    for (continuation, picture) in served { continuation.resume(returning: .success(picture)) }
  }

  private func end(with error: APIError, _ choose: (inout PreviewPacing) -> [Int]) {
    let ended = state.withLock { state in
      choose(&state.pacing).compactMap { number -> CheckedContinuation<Answer, Never>? in
        let continuation = state.waiting.removeValue(forKey: number)
        if continuation == nil { state.untold[number] = error }
        return continuation
      }
    }
    for continuation in ended { continuation.resume(returning: .failure(error)) }
  }

  // MARK: Viewers

  fileprivate func next(for number: Int) async -> Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Answer? in
          guard state.pacing.wait(number) else {
            if let error = state.untold.removeValue(forKey: number) { return .failure(error) }
            return .success(nil)
          }
          state.waiting[number] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) } else { wake.give() }
      }
    } onCancel: {
      stop(number)
    }
  }

  fileprivate func stop(_ number: Int) {
    let continuation = state.withLock { state in
      state.pacing.leave(number)
      state.untold[number] = nil
      return state.waiting.removeValue(forKey: number)
    }
    continuation?.resume(returning: .success(nil))
    wake.give()
  }
}

/// A viewer of a broadcast.
private final class Viewer: PreviewViewer {
  private let broadcast: PreviewBroadcast
  private let number: Int

  init(of broadcast: PreviewBroadcast, number: Int) {
    self.broadcast = broadcast
    self.number = number
  }

  deinit { stop() }

  func next() async throws(APIError) -> PreviewPicture? {
    try await broadcast.next(for: number).get()
  }

  func stop() { broadcast.stop(number) }
}
