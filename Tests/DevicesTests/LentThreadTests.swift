import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Devices

/// Returns the number of the calling thread.
private func thisThread() -> UInt { UInt(pthread_self()) }

@Suite(.timeLimit(.minutes(5))) struct LentThreadTests {
  /// A lock that the sender holds as it sends, and the follower as it hears.
  private final class Lock: Sendable {
    let state = Mutex(())
  }

  /// A thread that sends an event each time that it is told to.
  private final class Sender: Sendable {
    private let told = DispatchSemaphore(value: 0)
    private let isOver = Mutex(false)

    init(
      _ events: CameraEvents, _ lock: Lock, isLent: Bool, begun: AsyncStream<UInt>.Continuation
    ) {
      Thread.detachNewThread { [self] in
        let thread = LentThread()
        let send = { lock.state.withLock { _ in events.send(.starved) } }
        begun.yield(thisThread())
        while true {
          told.wait()
          if isOver.withLock({ $0 }) { return }
          if isLent { thread.run(send) } else { send() }
        }
      }
    }

    func send() { told.signal() }

    func end() {
      isOver.withLock { $0 = true }
      told.signal()
    }
  }

  /// An actor with a task that tells the thread on which it takes each event.
  private actor Follower {
    private let executor = DispatchQueueExecutor(label: "platen.test.follower")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    func follow(
      _ events: CameraEvents, _ lock: Lock, mayRunThere: Bool,
      _ heard: AsyncStream<UInt>.Continuation
    ) async {
      let tasks = ActorTasks(on: executor, runsOnLentThreads: mayRunThere)
      await withTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: tasks) { await self.hear(events, lock, heard) }
      }
      withExtendedLifetime(tasks) {}
    }

    private func hear(
      _ events: CameraEvents, _ lock: Lock, _ heard: AsyncStream<UInt>.Continuation
    ) async {
      for await _ in events {
        assertIsolated()
        heard.yield(lock.state.withLock { _ in thisThread() })
      }
    }
  }

  @Test(arguments: [(true, true), (false, true), (true, false)])
  func `only a lent thread runs a waiting task itself if that may, under no lock of the sender`(
    isLent: Bool, mayRunThere: Bool
  ) async {
    let (events, lock) = (CameraEvents(), Lock())
    let (threads, heard) = AsyncStream.makeStream(of: UInt.self)
    let (starts, begun) = AsyncStream.makeStream(of: UInt.self)
    let following = Task { await Follower().follow(events, lock, mayRunThere: mayRunThere, heard) }
    let sender = Sender(events, lock, isLent: isLent, begun: begun)
    let thread = await starts.first { _ in true }
    var iterator = threads.makeAsyncIterator()
    var isSame = false
    // The task may be about to wait when the event is sent, and is then woken on its queue.
    for _ in 0..<(isLent && mayRunThere ? 10_000 : 100) where !isSame {
      sender.send()
      let heardOn = await iterator.next()
      isSame = heardOn == thread
      await Task.yield()
    }
    #expect(isSame == (isLent && mayRunThere))
    sender.end()
    events.finish()
    await following.value
  }
}
