import Devices
import Foundation
import Synchronization

/// The threads for calls that may block too long.
///
/// A call that exceeds its time goes on, because it cannot be ended. The number of simultaneous
/// calls is therefore limited.
final class ProbeThread: Sendable {
  /// The time that a probe may take.
  static let timeout = Duration.seconds(2)

  /// The outcome of a call.
  enum Outcome<Value: Sendable>: Sendable {
    case answered(Value)
    /// The call takes too long.
    case late
    /// The call was refused, as the text says: too many earlier calls have not returned yet.
    case busy(String)
  }

  /// The threads for targets; the resolver may keep a thread for as long as it wants.
  static let targets = ProbeThread()
  /// The threads for name servers, which must answer even while the resolver blocks.
  static let nameServers = ProbeThread()
  /// The threads for the kernel's files, which need no network.
  static let kernelFiles = ProbeThread(limit: 4)

  private let limit: Int
  private let running = Mutex(0)

  /// Makes threads.
  ///
  /// - Parameter limit: the maximum number of simultaneous calls, including the abandoned ones.
  init(limit: Int = 16) { self.limit = limit }

  /// Runs a call on a separate thread and waits at most ``timeout``.
  func run<Value: Sendable>(
    _ clock: any MonotonicClock, _ body: @escaping @Sendable () -> Value
  ) async -> Outcome<Value> {
    let mayRun = running.withLock { running in
      guard running < limit else { return false }
      running += 1
      return true
    }
    guard mayRun else {
      return .busy("not tried: \(limit) earlier probes have not returned")
    }
    let value = await answer(within: Self.timeout, clock) { [self] () -> Value? in
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let value = body()
          running.withLock { $0 -= 1 }
          continuation.resume(returning: value)
        }
      }
    }
    return value.map { .answered($0) } ?? .late
  }
}
