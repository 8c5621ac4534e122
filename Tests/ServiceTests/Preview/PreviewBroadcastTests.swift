import API
import Devices
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct PreviewBroadcastTests {
  /// A source whose frames come when a test says so.
  private final class Source: PreviewSource {
    private struct State {
      var frame: UInt64 = 1
      var shots: [Set<FrameSize>] = []
      var refusal: PreviewShotRefusal?
    }

    private let hub = EventHub<UInt64>()
    private let state = Mutex(State())

    /// The sizes of each shot.
    var shots: [Set<FrameSize>] { state.withLock { $0.shots } }

    func next() {
      let frame = state.withLock { state in
        state.frame += 1
        return state.frame
      }
      hub.send(frame)
    }

    func refuse(_ refusal: PreviewShotRefusal?) { state.withLock { $0.refusal = refusal } }

    func arrivals() async -> AsyncStream<UInt64> { hub.listen(limit: 1) }

    func shot(within limits: Set<FrameSize>) async -> Result<PreviewShot, PreviewShotRefusal> {
      state.withLock { state in
        state.shots.append(limits)
        if let refusal = state.refusal { return .failure(refusal) }
        let frame = state.frame
        let pictures = limits.map { limit in
          let picture = PreviewPicture(
            jpeg: [UInt8(truncatingIfNeeded: limit.width)], frame: Int64(frame),
            sensorTimeNanoseconds: 1, angle: 0, isMirrored: false, sharpness: 0)
          return (limit, picture)
        }
        return .success(
          PreviewShot(frame: frame, pictures: Dictionary(uniqueKeysWithValues: pictures)))
      }
    }
  }

  private let source = Source()
  private let clock = ManualClock()

  private func broadcast() -> PreviewBroadcast { PreviewBroadcast(source: source, clock: clock) }

  private let wanted = PreviewStreamRequest(width: 320, height: 240, fps: 10)

  /// Lets frames come, a second apart, until something has happened.
  private func framesCome<Success: Sendable>(
    until something: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    let done = Mutex(false)
    async let result = something()
    let feeding = Task {
      while !done.withLock({ $0 }) {
        clock.advance(by: .seconds(1))
        source.next()
        await Task.yield()
      }
    }
    let outcome: Result<Success, any Error>
    do { outcome = .success(try await result) } catch { outcome = .failure(error) }
    done.withLock { $0 = true }
    await feeding.value
    return try outcome.get()
  }

  @Test func `two viewers of a size share each picture`() async throws {
    let broadcast = broadcast()
    let (one, other) = (broadcast.watch(wanted), broadcast.watch(wanted))
    let large = broadcast.watch(PreviewStreamRequest(width: 640, height: 480, fps: 10))
    for _ in 0..<3 {
      let frames = try await framesCome {
        async let first = one.next()
        async let second = other.next()
        async let third = large.next()
        return try await [first, second, third]
      }
      #expect(frames.allSatisfy { $0 != nil })
      #expect(frames[0]?.jpeg == frames[1]?.jpeg && frames[0]?.jpeg != frames[2]?.jpeg)
    }
    #expect(source.shots.allSatisfy { !$0.isEmpty && $0.count <= 2 })
    for viewer in [one, other, large] { viewer.stop() }
  }

  @Test func `a viewer that does not wait costs nothing`() async throws {
    let broadcast = broadcast()
    let (slow, quick) = (broadcast.watch(wanted), broadcast.watch(wanted))
    _ = try await framesCome { try await slow.next() }
    quick.stop()
    let before = source.shots.count
    for _ in 0..<100 {
      clock.advance(by: .seconds(1))
      source.next()
      await Task.yield()
    }
    #expect(source.shots.count == before)
    _ = try await framesCome { try await slow.next() }
    #expect(source.shots.count > before)
    slow.stop()
  }

  @Test func `a stopped viewer gets nothing more`() async throws {
    let broadcast = broadcast()
    let viewer = broadcast.watch(wanted)
    #expect(try await framesCome { try await viewer.next() } != nil)
    async let next = viewer.next()
    viewer.stop()
    #expect(try await next == nil)
    #expect(try await viewer.next() == nil)
    // The next viewer begins anew.
    let other = broadcast.watch(wanted)
    #expect(try await framesCome { try await other.next() } != nil)
    other.stop()
  }

  @Test func `a canceled wait ends`() async throws {
    let broadcast = broadcast()
    source.refuse(.busy(PreviewMaker.busy))
    let viewer = broadcast.watch(wanted)
    let waiting = Task { try await viewer.next() }
    waiting.cancel()
    #expect(try await waiting.value == nil)
  }

  @Test func `heat ends every viewer with its reason`() async throws {
    let broadcast = broadcast()
    let viewer = broadcast.watch(wanted)
    #expect(try await framesCome { try await viewer.next() } != nil)
    let hot = APIError(.unavailable, "too hot")
    source.refuse(.stopped(hot))
    let error = await #expect(throws: APIError.self) {
      try await framesCome { try await viewer.next() }
    }
    #expect(error == hot)
    #expect(try await viewer.next() == nil, "the part is over")
    let later = broadcast.watch(wanted)
    let again = await #expect(throws: APIError.self) {
      try await framesCome { try await later.next() }
    }
    #expect(again == hot)
  }

  @Test func `a viewer that was ended before it waits gets the reason once`() async throws {
    let broadcast = broadcast()
    let (viewer, late) = (broadcast.watch(wanted), broadcast.watch(wanted))
    let stopped = broadcast.watch(wanted)
    let hot = APIError(.unavailable, "too hot")
    source.refuse(.stopped(hot))
    for one in [viewer, late] {
      let error = await #expect(throws: APIError.self) {
        try await framesCome { try await one.next() }
      }
      #expect(error == hot)
      #expect(try await one.next() == nil)
    }
    stopped.stop()
    #expect(try await stopped.next() == nil)
  }

  @Test func `a lost camera ends a viewer after a while`() async throws {
    let broadcast = broadcast()
    let viewer = broadcast.watch(wanted)
    #expect(try await framesCome { try await viewer.next() } != nil)
    let lost = APIError(.conflict, "no camera")
    source.refuse(.outage(lost))
    let began = clock.now
    let error = await #expect(throws: APIError.self) {
      try await framesCome { try await viewer.next() }
    }
    #expect(error == lost)
    #expect(began.duration(to: clock.now) >= PreviewPacing.pictureTimeout)
  }
}
